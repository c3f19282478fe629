import { parseTokenIdentifier } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USDC } from '../testing/catalogue-feed.fixture.js';
import { fixedInput, startQuoteStand, type QuoteStand } from '../testing/quote-stand.fixture.js';
import type { OnrampBehaviour, StubOnramp } from '../testing/stub-onramps.fixture.js';

const { address: contract } = parseTokenIdentifier(USDC);
const stub = (conduct: OnrampBehaviour): StubOnramp => ({
  behaviour: conduct,
  feePercent: 1n,
  sells: [{ network: 'alphanet', contract, decimals: 6, usd: 1n }],
  methods: ['ach'],
});

describe('a provider whose coverage request hangs', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    const stubs = { honest: stub('honest'), mute: stub('mute') };
    stand = await startQuoteStand(stubs, { PROVIDER_TIMEOUT_MS: '3000' });
  });
  afterAll(() => stand.stop());

  it('fails in every quote without delaying the next one', async () => {
    const { body: first } = await stand.ask(fixedInput('usd', '200', USDC));
    const questions = stand.coverageRequests('mute');
    const { body: second } = await stand.ask(fixedInput('usd', '200', USDC));
    expect(stand.coverageRequests('mute')).toBe(questions);
    for (const { quotes, failures } of [first, second]) {
      expect(quotes.map(({ onramp }) => onramp)).toEqual(['honest']);
      expect(failures).toEqual([
        expect.objectContaining({
          service_ids: ['mute'],
          issues: [{ kind: 'provider', message: 'mute: timed out' }],
        }),
      ]);
    }
  });
});
