import { falseQuotes, startLyingNode, type LyingNode } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { USDC, WETH } from '../testing/catalogue-feed.fixture.js';
import {
  fixedInput,
  fixedOutput,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';

/** Inputs that only this conversion of this file has. */
const ASKED = [
  ['a fixed input', fixedInput(USDC, '100', WETH)],
  ['a fixed output', fixedOutput(WETH, '0.01', USDC)],
] as const;

const LIES: [string, (amount: bigint) => bigint | null][] = [
  ['that there is no conversion', () => null],
  ['a hundredth of each amount', (amount) => amount / 100n],
  ['a hundred times each amount', (amount) => amount * 100n],
];

describe.each([
  ['three', 1],
  ['two', 0],
])('a quote beside a lying node, the first of %s', (_, others) => {
  let stand: QuoteStand;
  let liar: LyingNode;

  beforeAll(async () => {
    stand = await startQuoteStand({}, async (rpcUrl) => {
      liar = await startLyingNode(rpcUrl);
      const honest = [rpcUrl, ...Array.from({ length: others }, () => rpcUrl)];
      return { RPC_URLS_ALPHANET: [liar.url, ...honest].join(',') };
    });
  });
  afterEach(() => liar.lies.clear());
  afterAll(async () => {
    await stand.stop();
    await liar.stop();
  });

  const quoted = async (body: object) => {
    const { status, body: answer } = await stand.ask(body);
    expect([status, answer.failures]).toEqual([200, []]);
    const { quotes } = await stand.open(answer.state_token);
    return quotes.map(({ plan }) => plan.legs);
  };

  describe.each(ASKED)('with %s', (__, request) => {
    it.each(LIES)('is that of the others when it says %s', async (___, change) => {
      const honest = await quoted(request);
      let told = 0;
      liar.lies.set(
        'eth_call',
        falseQuotes((amount) => {
          told += 1;
          return change(amount);
        }),
      );
      expect(await quoted(request)).toEqual(honest);
      expect(told).toBeGreaterThan(0);
    });
  });

  it('asks one node only where it has an acceptable quote', async () => {
    const { quoteExactInput: before } = stand.quoterRequests();
    liar.requests.clear();
    await quoted(fixedInput(USDC, '101', WETH));
    expect(liar.requests.get('eth_call')).toBeGreaterThan(0);
    // The stand counts what the other nodes are asked, the one behind the liar among them.
    const honest = stand.quoterRequests().quoteExactInput - before;
    expect(honest).toBe(2);
  });
});
