// SPDX-License-Identifier: GPL-3.0-or-later
// The official clients of OpenAI and Anthropic against the fault server: they complete its streams, and take its faults for what
// the real thing's would be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { withServer } from './faultserver.mjs';

const text = 'Waiting is not working. Waiting is not working. ';

const openai = (url, options = {}) => new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, ...options });
const anthropic = (url, options = {}) => new Anthropic({ apiKey: 'none', baseURL: url, ...options });

async function chat(client, options) {
  const stream = await client.chat.completions.create(
    { model: 'm', stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'x' }] }, options);
  const seen = { text: '', finish: null, usage: null };
  for await (const chunk of stream) {
    seen.text += chunk.choices[0]?.delta?.content ?? '';
    seen.finish = chunk.choices[0]?.finish_reason ?? seen.finish;
    seen.usage = chunk.usage ?? seen.usage;
  }
  return seen;
}

async function responses(client, options) {
  const stream = await client.responses.create({ model: 'm', stream: true, input: 'x' }, options);
  const seen = { text: '', finish: null, usage: null };
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') seen.text += event.delta;
    if (event.type === 'response.completed') {
      seen.finish = event.response.status;
      seen.usage = event.response.usage;
    }
    if (event.type === 'error') seen.error = event;
  }
  return seen;
}

async function messages(client, options) {
  const stream = client.messages.stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] }, options);
  const whole = await stream.finalMessage();
  return { text: whole.content.map((block) => block.text).join(''), finish: whole.stop_reason, usage: whole.usage };
}

// Each API with its client: what is asked, and the client's own error types.
const apis = [
  { name: 'chat completions', make: openai, ask: chat, types: OpenAI },
  { name: 'responses', make: openai, ask: responses, types: OpenAI },
  { name: 'messages', make: anthropic, ask: messages, types: Anthropic },
];

for (const { name, make, ask, types } of apis) {
  test(`${name}: a streamed call is completed`, async () => {
    const { value, requests } = await withServer(['ok-stream'], (server) => ask(make(server.url('ok-stream'))));
    assert.equal(value.text, text);
    assert.ok(['stop', 'completed', 'end_turn'].includes(value.finish), `finish reason ${value.finish}`);
    assert.equal(value.usage.input_tokens ?? value.usage.prompt_tokens, 12);
    assert.equal(value.usage.output_tokens ?? value.usage.completion_tokens, 8);
    assert.equal(requests, 1);
  });

  // Two retries are both clients' default.
  test(`${name}: a 429 that stays is asked three times, then raised as what it is`, async () => {
    const { requests } = await withServer(['429-quota'], async (server) => {
      await assert.rejects(ask(make(server.url('429-quota'))), (error) => {
        assert.ok(error instanceof types.RateLimitError, error);
        assert.equal(error.status, 429);
        return true;
      });
    });
    assert.equal(requests, 3);
  });

  test(`${name}: a 429's hint is waited for`, async () => {
    const started = performance.now();
    const { value, requests } = await withServer(['429-retry-after-ms'], (server) => ask(make(server.url('429-retry-after-ms'))));
    assert.ok(performance.now() - started >= 1500, 'retry-after-ms: 1500');
    assert.equal(value.text, text);
    assert.equal(requests, 2);
  });

  test(`${name}: a 503 that passes is survived`, async () => {
    const { value, requests } = await withServer(['503-then-ok'], (server) => ask(make(server.url('503-then-ok'))));
    assert.equal(value.text, text);
    assert.equal(requests, 2);
  });

  test(`${name}: x-should-retry is obeyed both ways`, async () => {
    const no = await withServer(['should-retry-no'], (server) => assert.rejects(ask(make(server.url('should-retry-no'))), types.APIError));
    assert.equal(no.requests, 1);
    const yes = await withServer(['should-retry-yes'], async (server) => ask(make(server.url('should-retry-yes'))).catch((error) => error));
    assert.ok(yes.requests > 1, `${yes.requests} requests`);
  });

  test(`${name}: a refused key is not tried again`, async () => {
    const { requests } = await withServer(['401-unauthorized'],
      (server) => assert.rejects(ask(make(server.url('401-unauthorized'))), types.AuthenticationError));
    assert.equal(requests, 1);
  });

  for (const cut of ['fin-mid-stream', 'reset-mid-stream', 'cut-chunked']) {
    test(`${name}: ${cut} is no whole answer`, async () => {
      const { requests } = await withServer([cut], (server) => assert.rejects(ask(make(server.url(cut)))));
      assert.equal(requests, 1); // what has begun to come is not asked for again
    });
  }

  test(`${name}: an error inside the stream is seen`, async () => {
    await withServer(['error-event-in-stream'], async (server) => {
      const asked = ask(make(server.url('error-event-in-stream')));
      if (ask !== responses) return assert.rejects(asked, types.APIError);
      // Of this API the client hands it on as one more event.
      const value = await asked;
      assert.ok(value.error?.message, JSON.stringify(value));
      assert.equal(value.finish, null);
    });
  });

  // Neither client has a limit between two events: only its caller can end this.
  test(`${name}: a stall is ended by the caller alone`, async () => {
    await withServer(['idle-stall'], async (server) => {
      const caller = new AbortController();
      const started = performance.now();
      setTimeout(() => caller.abort(), 1500);
      const outcome = await ask(make(server.url('idle-stall')), { signal: caller.signal }).then(
        (value) => ({ value }), (error) => ({ error }));
      assert.ok(performance.now() - started >= 1400);
      // Some end their loop without an error when they are aborted; nobody gets the whole answer.
      assert.ok(outcome.error || outcome.value.finish === null, JSON.stringify(outcome.value));
    }, 1);
  });

  test(`${name}: a limit of its own ends a silent server`, async () => {
    const { requests } = await withServer(['silent'], (server) => assert.rejects(
      ask(make(server.url('silent'), { timeout: 700, maxRetries: 1 })), types.APIConnectionTimeoutError), 1);
    assert.equal(requests, 2);
  });
}

// An end without the marker: whoever counts on the marker must notice, and who does not takes half for the whole.
test('a missing end marker: chat takes it for the end, messages does not', async () => {
  const half = await withServer(['missing-end-marker'], (server) => chat(openai(server.url('missing-end-marker'))));
  assert.equal(half.value.finish, null);
  await withServer(['missing-end-marker'], (server) => assert.rejects(messages(anthropic(server.url('missing-end-marker')))));
});
