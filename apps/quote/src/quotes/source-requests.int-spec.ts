import { parseTokenIdentifier } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FOREIGN_USDC, NATIVE, USDC, USDT, WETH } from '../testing/catalogue-feed.fixture.js';
import {
  fixedInput,
  fixedOutput,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import type { StubOnramp } from '../testing/stub-onramps.fixture.js';
import { startStubSolver, type StubSolver } from '../testing/stub-solver.fixture.js';

const usdc = {
  network: 'alphanet',
  contract: parseTokenIdentifier(USDC).address,
  decimals: 6,
  usd: 1n,
};
const ramp: StubOnramp = { behaviour: 'honest', feePercent: 1n, sells: [usdc], methods: ['ach'] };

describe('requests to sources for one quote request', () => {
  let stand: QuoteStand;
  let solver: StubSolver;

  beforeAll(async () => {
    solver = await startStubSolver();
    const bridge = { adapter: 'intent-escrow', solver_url: solver.url, api_key: 'key' };
    // Two bridges make two routes of each crossing, which share the onramp and the first conversion.
    const bridges = ['one', 'other'].map((name) => ({ name, ...bridge }));
    const stubs = { ramp, down: { ...ramp, behaviour: 'down' as const } };
    stand = await startQuoteStand(stubs, { BRIDGES: JSON.stringify(bridges) }, solver);
  });
  afterAll(async () => {
    await stand.stop();
    await solver.stop();
  });

  async function requestsOf(body: object) {
    const [quoter, onramp] = [stand.quoterRequests(), stand.quoteRequests('ramp')];
    const [down, solvers] = [stand.quoteRequests('down'), solver.asked.length];
    const { body: answer } = await stand.ask({ show_all_issues: true, ...body });
    const { quoteExactInput, quoteExactOutput } = stand.quoterRequests();
    return {
      answer,
      exactInputs: quoteExactInput - quoter.quoteExactInput,
      exactOutputs: quoteExactOutput - quoter.quoteExactOutput,
      onramp: stand.quoteRequests('ramp') - onramp,
      down: stand.quoteRequests('down') - down,
      /** Amounts offered to the bridges. */
      sent: solver.asked.slice(solvers),
    };
  }

  it.each([
    [USDC, WETH, '0.05'],
    [NATIVE, USDC, '250'],
    [USDT, NATIVE, '0.1'],
  ])('quote a swap of %s for a fixed output of %s in one', async (input, output, amount) => {
    const { answer, ...requests } = await requestsOf(fixedOutput(output, amount, input));
    expect(answer.quotes).toHaveLength(1);
    expect(requests).toMatchObject({ exactInputs: 0, exactOutputs: 1 });
  });

  it('quote a swap of a fixed input for its gas, and for what the network fee leaves', async () => {
    const { answer, ...requests } = await requestsOf(fixedInput(USDC, '100', WETH));
    expect(answer.quotes).toHaveLength(1);
    expect(requests).toMatchObject({ exactInputs: 2, exactOutputs: 0 });
  });

  it('ask an onramp once for the same purchase on several routes', async () => {
    const only = { onramps: ['ramp'] };
    const { answer, onramp, sent } = await requestsOf(fixedInput('usd', '100', FOREIGN_USDC, only));
    expect(answer.quotes).toHaveLength(1);
    expect(onramp).toBe(1);
    // Each bridge quotes what is expected, and the least that may arrive.
    expect([sent.length, new Set(sent).size]).toEqual([4, 2]);
  });

  it('convert once for the same leg on several routes', async () => {
    const requests = await requestsOf(fixedInput(WETH, '1', FOREIGN_USDC));
    expect(requests.answer.quotes).toHaveLength(1);
    expect(requests).toMatchObject({ exactInputs: 2, exactOutputs: 0 });
    expect(requests.sent).toHaveLength(4);
  });

  it('ask an onramp at most four times for a fixed output, for all routes together', async () => {
    const only = { onramps: ['ramp'] };
    const { answer, onramp } = await requestsOf(fixedOutput(FOREIGN_USDC, '100', 'usd', only));
    expect(answer.quotes).toHaveLength(1);
    expect(onramp).toBeGreaterThan(0);
    expect(onramp).toBeLessThanOrEqual(4);
  });

  it('do not repeat what failed', async () => {
    const only = { onramps: ['down'] };
    const { answer, down } = await requestsOf(fixedInput('usd', '100', FOREIGN_USDC, only));
    expect(answer.quotes).toEqual([]);
    expect(answer.failures).toMatchObject([{ service_ids: ['down'] }]);
    expect(down).toBe(1);
  });
});
