import type { ErrorBody, Payment, QuoteState } from '@bascule/contracts';
import { SanctionedFile, startTestChain, vaultDeposit } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { developmentAddresses } from '@bascule/solidity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DESTINATION } from '../testing/a-payment.fixture.js';
import {
  aPlan,
  aQuote,
  aQuoteRequest,
  aQuoteState,
  USDC,
  WETH,
} from '../testing/a-quote.fixture.js';
import { aKey, askedOf, continuation, signWith } from '../testing/owner-signatures.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

const RECEIVER = '0x00000000000000000000000000000000000000Ee';
const OWNER_ISSUE = {
  kind: 'owner',
  message: 'The owner address is not allowed.',
  mitigation: 'change',
};
const DESTINATION_ISSUE = {
  kind: 'destination',
  message: 'The destination address is not allowed.',
};

describe('screening at confirm', () => {
  const file = new SanctionedFile();
  let chain: TestChain;
  let client: PaymentServiceClient;
  let owner: ReturnType<typeof aKey>;
  beforeAll(async () => {
    chain = await startTestChain();
    client = await PaymentServiceClient.start({
      RPC_URLS_ALPHANET: chain.rpcUrl,
      SCREENING_FILE: file.path,
      SCREENING_ALLOWANCE_USD: '400',
    });
  });
  beforeEach(() => {
    file.list();
    owner = aKey();
  });
  afterAll(async () => {
    await client.stop();
    await chain.stop();
    file.remove();
  });

  const payments = () => client.database.rows('SELECT id FROM payments ORDER BY id');
  const worth = (amount: string, overrides: Partial<QuoteState> = {}): QuoteState => {
    const quote = { ...aQuote(), output_amount: { asset: WETH, amount } };
    return aQuoteState({ quotes: [{ quote, plan: aPlan() }], ...overrides });
  };
  const send = async (body: unknown) => {
    const answer = await client.request<Payment & ErrorBody>('/payments/confirm', {
      method: 'POST',
      body,
    });
    // Sources are nobody’s business.
    expect(JSON.stringify(answer.body.errors ?? [])).not.toMatch(/file|oracle|api|sanction|list/i);
    return answer;
  };
  const bodyOf = (state = worth('0.02')) =>
    client.aConfirmation({ owner_address: owner.address }, state);
  /** Refused, and nothing is stored. */
  const refused = async (state?: QuoteState) => {
    const before = await payments();
    const { status, body } = await send(await bodyOf(state));
    expect(status).toBe(400);
    expect(await payments()).toEqual(before);
    return body.errors;
  };

  it('refuses a sanctioned owner and a sanctioned destination, both at once', async () => {
    file.list(owner.address);
    expect(await refused()).toEqual([OWNER_ISSUE]);
    file.list(DESTINATION.toLowerCase());
    expect(await refused()).toEqual([DESTINATION_ISSUE]);
    file.list(DESTINATION, owner.address);
    expect(await refused()).toEqual([OWNER_ISSUE, DESTINATION_ISSUE]);
    file.list();
    expect((await send(await bodyOf())).status).toBe(200);
  });

  it('refuses a sanctioned receiver of a revenue share, and not the receiver of gas', async () => {
    const [leg] = aPlan().legs;
    if (!leg) throw new Error('a plan has a leg');
    const fees = [...leg.fees, { kind: 'business' as const, receiver: RECEIVER, amount: '500000' }];
    const state = () =>
      worth('0.02', {
        quotes: [{ quote: aQuote(), plan: { ...aPlan(), legs: [{ ...leg, fees }] } }],
      });
    file.list(RECEIVER);
    expect(await refused(state())).toEqual([
      { kind: 'org_configuration', message: 'A receiver of the revenue share is not allowed.' },
    ]);
    file.list(leg.fees[0]?.receiver ?? '');
    expect((await send(await bodyOf(state()))).status).toBe(200);
  });

  it('refuses a sanctioned target of custom actions', async () => {
    file.list(developmentAddresses.usdcVault);
    const { request, ...rest } = aQuoteRequest();
    const custom_actions = {
      actions: vaultDeposit(99_000_000n, DESTINATION),
      user_estimated_gas: '300000',
    };
    const legs = aPlan().legs.map((leg) => ({
      ...{ ...leg, output_token: USDC, min_output: '99000000', gas_limit: '1000000' },
    }));
    const state = worth('0.02', {
      quotes: [{ quote: aQuote(), plan: { ...aPlan(), legs } }],
      quote_request: { ...rest, request: { ...request, custom_actions } },
    });
    expect(await refused(state)).toEqual([
      { kind: 'other', message: 'A target of the custom actions is not allowed.' },
    ]);
  });

  it('asks a sanctioned owner for no signature, and takes none of one sanctioned meanwhile', async () => {
    const asked = askedOf((await client.confirm(await bodyOf(worth('0.2')))).body);
    file.list(owner.address);
    expect(await refused(worth('0.2'))).toEqual([OWNER_ISSUE]);
    const before = await payments();
    const { status, body } = await send(await continuation(asked, signWith(owner)));
    expect([status, body.errors]).toEqual([400, [OWNER_ISSUE]]);
    expect(await payments()).toEqual(before);
  });

  it('is 503 with Retry-After while a source is unavailable, and 409 stays 409', async () => {
    const known = await bodyOf();
    expect((await send(known)).status).toBe(200);
    file.takeAway();
    // 300 dollars are above the allowance.
    owner = aKey();
    const before = await payments();
    const large = await bodyOf(worth('0.0999'));
    const { status, headers, body } = await send(large);
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(body.errors).toEqual([
      { kind: 'unknown', message: 'Could not check the addresses of the payment. Try again.' },
    ]);
    expect(await payments()).toEqual(before);
    expect((await send(known)).status).toBe(409);
    file.list();
    expect((await send(large)).status).toBe(200);
  });

  it('lets small sums go on meanwhile, and spends none of the allowance before they are funded', async () => {
    file.takeAway();
    // 90 dollars each, which half of the allowance has room for only twice.
    const statuses = [];
    for (const amount of ['0.03', '0.03', '0.03']) {
      statuses.push((await send(await bodyOf(worth(amount)))).status);
    }
    expect(statuses).toEqual([200, 200, 200]);
    expect(await client.database.rows('SELECT reference FROM screening_allowances')).toEqual([]);
  });

  it('records which addresses were screened for which payment', async () => {
    file.list(owner.address);
    const body = await bodyOf();
    await send(body);
    const rows = await client.database.rows(
      `SELECT address, source, verdict FROM screenings
       WHERE reference = $1 AND purpose = 'confirm' ORDER BY verdict`,
      [body.payment_id],
    );
    expect(rows).toEqual([
      { address: DESTINATION.toLowerCase(), source: 'file', verdict: 'clear' },
      { address: owner.address.toLowerCase(), source: 'file', verdict: 'sanctioned' },
    ]);
  });
});
