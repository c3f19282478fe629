import {
  startCapturingServer,
  startTestChain,
  type CannedResponse,
  type CapturingServer,
  type TestChain,
} from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FOREIGN_USDC, USDC } from '../testing/catalogue-feed.fixture.js';
import {
  BRIDGE,
  fixedInput,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';
import { startStubSolver, type StubSolver } from '../testing/stub-solver.fixture.js';

/** Requests to a chain's endpoint that get no response. */
type Hanging = 'nothing' | 'simulations' | 'everything';

const TIMEOUT_MS = '3000';

/** Whether one of the calls overrides the state, as only simulations do. */
const isSimulation = (body: string): boolean =>
  [JSON.parse(body) as { method: string; params: unknown[] }]
    .flat()
    .some(({ method, params }) => method === 'eth_call' && params.length > 2);

describe('quotes beside sources that never answer', () => {
  let stand: QuoteStand;
  let solver: StubSolver;
  let betanet: TestChain;
  let endpoint: CapturingServer;
  let hanging: Hanging = 'nothing';

  beforeAll(async () => {
    betanet = await startTestChain({ name: 'betanet', chainId: 31338 });
    endpoint = await startCapturingServer(async ({ body }): Promise<CannedResponse> => {
      const text = body.toString('utf8');
      if (hanging === 'everything') return new Promise(() => undefined);
      if (hanging === 'simulations' && isSimulation(text)) return new Promise(() => undefined);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(betanet.rpcUrl, { method: 'POST', headers, body: text });
      return { headers, body: await answer.text() };
    });
    solver = await startStubSolver();
    const stubs = {
      here: usdcOnramp(USDC),
      there: usdcOnramp(FOREIGN_USDC),
      silent: usdcOnramp(USDC, { behaviour: 'silent' }),
      mute: usdcOnramp(USDC, { behaviour: 'mute' }),
    };
    const settings = {
      PROVIDER_TIMEOUT_MS: TIMEOUT_MS,
      CHAIN_TIMEOUT_MS: TIMEOUT_MS,
      RPC_URLS_BETANET: endpoint.url,
    };
    stand = await startQuoteStand(stubs, settings, solver);
  });
  afterEach(() => {
    hanging = 'nothing';
    solver.behaviour = 'honest';
  });
  afterAll(async () => {
    await stand.stop();
    await Promise.all([solver.stop(), endpoint.stop(), betanet.stop()]);
  });

  async function answerOf(body: object) {
    const { status, body: answer } = await stand.ask(body);
    expect(status).toBe(200);
    const failures = new Map(
      answer.failures.map(({ service_ids, issues }) => [service_ids.join(), issues]),
    );
    return { quotes: answer.quotes.map(({ onramp }) => onramp), failures };
  }
  const timedOut = (source: string) => [{ kind: 'provider', message: `${source}: timed out` }];

  it('are answered, with a failure for each of several providers', async () => {
    const { quotes, failures } = await answerOf(fixedInput('usd', '200', USDC));
    expect(quotes).toEqual(['here', 'there']);
    expect(failures).toEqual(
      new Map(['mute', 'silent'].map((source) => [source, timedOut(source)])),
    );
  });

  it('are answered while two providers, the solver and a chain hang at once', async () => {
    hanging = 'everything';
    solver.behaviour = 'silent';
    const { quotes, failures } = await answerOf(fixedInput('usd', '200', FOREIGN_USDC));
    expect(quotes).toEqual([]);
    const others = ['mute', 'silent', BRIDGE];
    expect(failures).toEqual(
      new Map<string, unknown>([
        ...others.map((source) => [source, timedOut(source)] as const),
        ['betanet', [{ kind: 'other', message: expect.stringContaining('betanet') }]],
      ]),
    );
  });

  it('fail where the payout cannot be simulated in time, and only there', async () => {
    hanging = 'simulations';
    const dest_address = '0x2222222222222222222222222222222222222222';
    const { request } = fixedInput(FOREIGN_USDC, '200', FOREIGN_USDC);
    const across = { request: { ...request, dest_address } };
    expect(await answerOf(across)).toEqual({
      quotes: [],
      failures: new Map([['betanet', [{ kind: 'other', message: 'betanet timed out.' }]]]),
    });
    const unsafe = await answerOf({ ...across, allow_unsafe_transfer_out: true });
    expect([unsafe.quotes.length, unsafe.failures.size]).toEqual([1, 0]);
  });
});
