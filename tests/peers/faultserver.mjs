// SPDX-License-Identifier: GPL-3.0-or-later
// `waitscope-cli serve-faults` as a child: addresses by scenario, and how many requests it has seen when it ends.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

// A server of its own for each test: its counts are then the test's.
export async function serve(scenarios, scale = 50) {
  const cli = process.env.WAITSCOPE_CLI;
  const names = scenarios.flatMap((name) => ['--scenario', name]);
  const child = spawn(cli, ['serve-faults', '--json', '--for', '120', '--scale', String(scale), ...names]);
  let errors = '';
  child.stderr.on('data', (text) => { errors += text; });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([new Promise((resolve) => lines.once('line', resolve)), ended.then(() => undefined)]);
  if (first === undefined) throw new Error(`serve-faults did not start: ${errors}`);
  const urls = Object.fromEntries(JSON.parse(first).scenarios.map((entry) => [entry.name, entry.url]));
  return {
    url: (name) => urls[name],
    // Stops it and gives the number of requests it was sent.
    async stop() {
      child.kill('SIGTERM');
      await ended;
      const found = /(\d+) connections, (\d+) requests/.exec(errors);
      if (!found) throw new Error(`serve-faults told no counts: ${errors}`);
      return Number(found[2]);
    },
  };
}

// Runs `body` with a server of these scenarios; gives what it gave, and the number of requests.
export async function withServer(scenarios, body, scale) {
  const server = await serve(scenarios, scale);
  let value;
  let requests;
  try {
    value = await body(server);
  } finally {
    requests = await server.stop();
  }
  return { value, requests };
}
