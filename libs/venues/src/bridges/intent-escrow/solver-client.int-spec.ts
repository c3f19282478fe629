import { startCapturingServer } from '@bascule/testing';
import type { CannedResponse, CapturingServer } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BridgeRefusedError } from '../bridge.js';
import { SolverClient } from './solver-client.js';

const TOKEN = '0x00000000000000000000000000000000000000A1';
const request = {
  originChainId: 31337,
  destinationChainId: 31338,
  inputToken: TOKEN,
  outputToken: TOKEN,
  amount: 5_000_000n,
} as const;

describe('the client of a solver', () => {
  let server: CapturingServer;
  let answer: CannedResponse | 'nothing';
  let client: SolverClient;

  const answers = (status: number, body: unknown) => {
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
  };
  const quoteError = async (): Promise<unknown> => {
    const outcome = await client.quote(request).then(
      () => 'quoted',
      (error: unknown) => error,
    );
    if (!(outcome instanceof Error)) throw new Error('solver quoted');
    return outcome;
  };

  beforeAll(async () => {
    server = await startCapturingServer(() =>
      answer === 'nothing' ? Promise.reject(new Error('destroyed')) : answer,
    );
    client = new SolverClient({ bridge: 'escrow', url: server.url, apiKey: 'key' });
  });
  afterAll(() => server.stop());

  it('sends the request unchanged, and returns the quote', async () => {
    const quoted = { outputAmount: 4_990_000n, fillSeconds: 4 };
    answers(200, { output_amount: '4990000', fill_seconds: 4 });
    expect(await client.quote(request)).toEqual(quoted);
    answers(200, { output_amount: '4990000', fill_seconds: 4, limits: { min: '1', max: '9' } });
    expect(await client.quote(request)).toEqual({ ...quoted, limits: { min: 1n, max: 9n } });
    const sent = server.requests.at(-1);
    expect(sent?.headers.authorization).toBe('Bearer key');
    expect(JSON.parse(sent?.body.toString() ?? '')).toEqual({
      origin_chain_id: 31337,
      destination_chain_id: 31338,
      input_token: TOKEN,
      output_token: TOKEN,
      amount: '5000000',
    });
  });

  it('reports a refusal with its limits', async () => {
    const error = { code: 'amount_too_high', message: 'Too much.', limits: { min: '1', max: '9' } };
    answers(422, { error });
    const refused = await quoteError();
    expect(refused).toBeInstanceOf(BridgeRefusedError);
    expect(refused).toMatchObject({ bridge: 'escrow', limits: { min: 1n, max: 9n } });
    answers(422, { error: { code: 'refused', message: 'No.' } });
    expect(await quoteError()).toMatchObject({ name: 'BridgeRefusedError', limits: undefined });
  });

  it.each<[string, number, unknown]>([
    ['refuses the key', 401, { error: { code: 'unauthorized', message: 'Unknown key.' } }],
    ['is unavailable', 503, { error: { code: 'unavailable', message: 'Later.' } }],
    ['delivers nothing', 200, { output_amount: '0', fill_seconds: 4 }],
    ['delivers a fraction', 200, { output_amount: '1.5', fill_seconds: 4 }],
    ['delivers a number', 200, { output_amount: 5, fill_seconds: 4 }],
    ['omits the fill time', 200, { output_amount: '5' }],
    ['answers no JSON', 200, '<html>'],
    ['refuses without a reason', 422, {}],
    ['refuses with strange limits', 422, { error: { message: 'No.', limits: { max: 'all' } } }],
  ])('reports the solver as unavailable when it %s', async (_, status, body) => {
    answers(status, body);
    expect(await quoteError()).not.toBeInstanceOf(BridgeRefusedError);
  });

  it('reports the solver as unavailable when it closes the connection', async () => {
    answer = 'nothing';
    expect(await quoteError()).toMatchObject({
      name: 'PeerError',
      reason: 'unreachable',
      retryable: true,
    });
  });

  it('reads all of its routes or none', async () => {
    const route = {
      origin_chain_id: 31337,
      destination_chain_id: 31338,
      input_token: TOKEN.toLowerCase(),
      output_token: TOKEN,
    };
    answers(200, { routes: [route] });
    const { amount: _, ...carried } = request;
    expect(await client.routes()).toEqual([carried]);
    answers(200, { routes: [route, { ...route, input_token: '0x12' }] });
    await expect(client.routes()).rejects.toThrow('input_token');
    answers(200, {});
    await expect(client.routes()).rejects.toThrow('routes');
  });
});
