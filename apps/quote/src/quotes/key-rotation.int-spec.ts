import { randomBytes } from 'node:crypto';
import type { QuoteState } from '@bascule/contracts';
import { SealedTokens } from '@bascule/sealed-tokens';
import { eventually, keysInUse, RunningLoad, SecretDirectory } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USDC } from '../testing/catalogue-feed.fixture.js';
import { fixedInput, startQuoteStand, type QuoteStand } from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';

const aKey = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });
const [oldKey, newKey] = [aKey('old'), aKey('new')];
const mounted = new SecretDirectory({ STATE_TOKEN_KEYS: JSON.stringify([oldKey]) });

describe('keys that rotate while quotes are requested', () => {
  let stand: QuoteStand;
  beforeAll(async () => {
    stand = await startQuoteStand({ ramp: usdcOnramp(USDC) }, mounted.env);
  });
  afterAll(async () => {
    await stand.stop();
    mounted.remove();
  });

  const rotateTo = async (...keys: { kid: string }[]) => {
    mounted.replace({ STATE_TOKEN_KEYS: JSON.stringify(keys) });
    await eventually(async () => {
      const kids = await keysInUse(stand.service.operationsUrl, 'STATE_TOKEN_KEYS');
      expect(kids).toEqual(keys.map(({ kid }) => kid));
    });
  };
  /** Requests quotes and opens their state token, as a payment service does that has these keys. */
  async function openQuotes(...keys: (typeof oldKey)[]): Promise<void> {
    const { status, body } = await stand.ask(fixedInput('USD', '200', USDC));
    const { quotes } = await new SealedTokens(keys).open<QuoteState>('quote', body.state_token);
    expect([status, quotes.map(({ quote }) => quote)]).toEqual([200, body.quotes]);
  }

  it('seal every state token with the first of them', async () => {
    const load = new RunningLoad(2, () => openQuotes(oldKey, newKey));
    try {
      await load.progress();
      await rotateTo(oldKey, newKey);
      await openQuotes(oldKey);
      await rotateTo(newKey, oldKey);
      await openQuotes(newKey);
      await load.progress();
    } finally {
      await load.stop();
    }
    expect(load.failures).toEqual([]);
    await rotateTo(newKey);
    await openQuotes(newKey);
  });
});
