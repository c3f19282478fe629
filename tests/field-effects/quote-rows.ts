import type {
  Payment,
  PaymentMethod,
  QuoteRequest,
  TestOutcome,
  TokenIdentifier,
} from '@bascule/contracts';
import { parseDeclaration } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import { Chain } from '../../tools/first-payment/chain.js';
import { quoteAndConfirm, reaches } from '../../tools/first-payment/payments.js';
import { fund } from '../../tools/first-payment/swap.js';
import { newTestUserWith } from '../../tools/first-payment/test-user.js';
import { verifyCompleted } from '../../tools/first-payment/verify-completed.js';
import {
  changesOf,
  errorsOf,
  issuesOf,
  methodRows,
  PATIENCE,
  type ContractStage,
  type Rows,
} from './contract-stage.js';

const RECEIVER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const CROSSES_TWICE_WITHIN_MS = 120_000;
/** Public addresses of customers. */
const IN_BRITAIN = '81.2.69.142';
const IN_AMERICA = '216.160.83.56';

/** Providers' currency and customer for each method that the sandbox sells by. */
const SOLD: Partial<Record<PaymentMethod, { fiat: string; country: string }>> = {
  CREDIT_CARD: { fiat: 'usd', country: 'USA' },
  DEBIT_CARD: { fiat: 'eur', country: 'DEU' },
  APPLE_PAY: { fiat: 'eur', country: 'DEU' },
  ACH: { fiat: 'usd', country: 'USA' },
  SEPA: { fiat: 'eur', country: 'DEU' },
};

/** Restricted edges of the stack: one under test, and one for chosen organisations. */
const BETA_EDGE = 'apple-pay';
const ORG_EDGE = 'swift-debit';
const BETA = { onramps: ['swiftramp'], onramp_methods: ['APPLE_PAY'] };
const ORGANISATIONS = { onramps: ['swiftramp'], onramp_methods: ['DEBIT_CARD'] };

/** Settings of the stack that rows rely on. */
export const CONTRACT_SETTINGS = {
  MAX_INPUT_USD: '2900',
  EDGE_RULES: JSON.stringify([
    {
      name: BETA_EDGE,
      ramp: { provider: 'swiftramp', method: 'apple_pay', fiat: 'usd' },
      beta: true,
    },
    { name: ORG_EDGE, ramp: { provider: 'swiftramp', method: 'debit_card', fiat: 'usd' } },
  ]),
};

const providersOf = async (stage: ContractStage, body: object): Promise<Set<string | undefined>> =>
  new Set((await stage.quotes(body)).quotes.map(({ onramp }) => onramp));

/** Confirms a swap of a test key; its end states are played in `e2e/test-mode`. */
async function confirmedTest(
  stage: ContractStage,
  test_outcome: TestOutcome,
): Promise<{ payment: Payment; quoted: bigint }> {
  const test = await stage.test();
  const body = await stage.confirmation(stage.swap({ test_outcome }), {}, test);
  const payment = await test.post<Payment>('/payments/confirm', body);
  const { asset, amount } = payment.quoted.output_amount;
  return { payment, quoted: await stage.chain.units(asset as TokenIdentifier, amount) };
}

const minimumOf = ({ declaration }: Payment): bigint =>
  parseDeclaration(declaration).legs.at(-1)?.minOutput ?? 0n;

const fundingMsOf = ({ initiate_fund_by, created_at }: Payment): number =>
  Date.parse(initiate_fund_by) - Date.parse(created_at);

/** Rows of `POST /payments/quotes`: every field of its body, and every value of its enums; `request` has its own rows. */
export const QUOTE_ROWS = {
  request: {
    'an unknown kind is refused': async (stage) => {
      const answer = await stage.ask({ request: { kind: 'FIXED_NOTHING' } });
      expect([answer.status, errorsOf(answer)[0]?.path]).toEqual([400, ['request', 'kind']]);
    },
  },
  price_currency: {
    'prices and fees are in it': async (stage) => {
      const { quote, response } = await stage.quote(stage.swap({ price_currency: 'EUR' }));
      expect(response.price_currency).toBe('eur');
      expect(quote.fees.currency_symbol).toBe('eur');
      expect(Number(response.current_prices['eur'])).toBe(1);
      expect(Number(response.current_prices[stage.token('USDC')])).toBeLessThan(1);
    },
    'US dollars by default': async (stage) => {
      expect((await stage.quotes(stage.swap())).price_currency).toBe('usd');
    },
  },
  onramps: {
    'only the named providers quote': async (stage) => {
      const one = stage.purchase({ onramps: ['SwiftRamp'] });
      expect(await providersOf(stage, one)).toEqual(new Set(['swiftramp']));
      expect(await providersOf(stage, stage.purchase())).toEqual(
        new Set(['swiftramp', 'thriftramp']),
      );
    },
    'an unknown one is a provider issue': async (stage) => {
      const some = await stage.quotes(stage.purchase({ onramps: ['swiftramp', 'nobody'] }));
      expect(some.quotes.length).toBeGreaterThan(0);
      expect(issuesOf(some)).toContainEqual(expect.objectContaining({ kind: 'provider' }));
      const none = await stage.quotes(stage.purchase({ onramps: ['nobody'] }));
      expect([none.quotes, none.fault?.kind]).toEqual([[], 'provider']);
    },
  },
  onramp_methods: {
    ...methodRows((method) => async (stage) => {
      const sold = SOLD[method];
      const body = stage.purchase(
        {
          onramp_methods: [method],
          customer_geolocation: { alpha3_country_code: sold?.country ?? 'USA' },
        },
        sold?.fiat,
      );
      const { quotes, fault } = await stage.quotes(body);
      if (sold) {
        expect(new Set(quotes.map(({ onramp_method }) => onramp_method))).toEqual(
          new Set([method]),
        );
      } else {
        expect([quotes, fault?.kind]).toEqual([[], 'payin_method']);
      }
    }),
    'SWIFT is sold to keys that an operator enabled it for': async (stage) => {
      const body = stage.purchase({ onramp_methods: ['SWIFT'] });
      await stage.enableForOther('SWIFT');
      await eventually(async () => {
        const { quotes } = await stage.quotes(body, stage.other);
        expect(quotes.map(({ onramp_method }) => onramp_method)).toEqual(['SWIFT']);
      }, PATIENCE);
      expect((await stage.quotes(body)).quotes).toEqual([]);
    },
  },
  customer_ip_address: {
    'restricts methods to its place': async (stage) => {
      const methods = async (customer_ip_address: string) =>
        (await stage.quotes(stage.purchase({ customer_ip_address }))).quotes.map(
          ({ onramp_method }) => onramp_method,
        );
      expect(await methods(IN_AMERICA)).toContain('ACH');
      expect(await methods(IN_BRITAIN)).not.toContain('ACH');
    },
  },
  customer_geolocation: {
    'restricts methods, beside the address': async (stage) => {
      const methods = async (fields: object) =>
        (await stage.quotes(stage.purchase(fields))).quotes.map(
          ({ onramp_method }) => onramp_method,
        );
      const america = { customer_geolocation: { alpha3_country_code: 'USA' } };
      expect(await methods(america)).toContain('ACH');
      expect(await methods({ ...america, customer_ip_address: IN_BRITAIN })).not.toContain('ACH');
    },
    'a country that does not exist is refused': async (stage) => {
      const answer = await stage.ask(
        stage.purchase({ customer_geolocation: { alpha3_country_code: 'XYZ' } }),
      );
      expect(answer.status).toBe(400);
      expect(errorsOf(answer)[0]?.path).toEqual(['customer_geolocation', 'alpha3_country_code']);
    },
  },
  customer_id: {
    'names the customer of the payment to secret keys': async (stage) => {
      const payment = await stage.payment(stage.swap({ customer_id: 'customer-7' }));
      expect(payment.customer_id).toBe('customer-7');
    },
  },
  parent_payment_id: {
    'names the payment that is retried': async (stage) => {
      const parent = await stage.payment(stage.swap());
      const child = await eventually(
        () => stage.payment(stage.swap({ parent_payment_id: parent.payment_id })),
        PATIENCE,
      );
      expect(child.parent_payment_id).toBe(parent.payment_id);
    },
    'an unknown one is not found': async (stage) => {
      const answer = await stage.ask(stage.swap({ parent_payment_id: uuidv7() }));
      expect(answer.status).toBe(404);
    },
    "another organisation's is forbidden": async (stage) => {
      const { payment_id } = await stage.payment(stage.swap());
      await eventually(async () => {
        const body = stage.swap({ parent_payment_id: payment_id });
        expect((await stage.ask(body, stage.other)).status).toBe(403);
      }, PATIENCE);
    },
  },
  payment_id: {
    'a payment without parked money has no valid amount': async (stage) => {
      const { payment_id } = await stage.payment(stage.swap());
      await eventually(async () => {
        const answer = await stage.ask({ payment_id });
        expect([answer.status, errorsOf(answer)[0]]).toEqual([
          400,
          expect.objectContaining({ kind: 'amount', reason: 'NO_VALID_AMOUNT' }),
        ]);
      }, PATIENCE);
    },
    'an unknown one is not found': async (stage) => {
      expect((await stage.ask({ payment_id: uuidv7() })).status).toBe(404);
    },
    "another organisation's is forbidden": async (stage) => {
      const { payment_id } = await stage.payment(stage.swap());
      await eventually(async () => {
        expect((await stage.ask({ payment_id }, stage.other)).status).toBe(403);
      }, PATIENCE);
    },
    'quotes parked money': async (stage) => {
      const { chain, user } = stage;
      const token = stage.token('USDC');
      const parent = await stage.payment(stage.swap());
      const [wallet] = parent.processing_addresses;
      const units = await chain.units(token, '10');
      await chain.transfer(chain.faucet, token, (wallet?.address ?? '') as `0x${string}`, units);
      await eventually(async () => {
        const { quotes, quote_request } = await stage.quotes({ payment_id: parent.payment_id });
        const [given] = changesOf(quotes[0]?.route ?? [], 'consume', 'USER');
        expect(Number(given?.amount)).toBeGreaterThan(9);
        expect(Number(given?.amount)).toBeLessThanOrEqual(10);
        expect(quote_request.parent_payment_id).toBe(parent.payment_id);
      }, PATIENCE);
      expect(user.owner.address).toBe(parent.owner_address);
    },
  },
  label: {
    'is shown with the payment': async (stage) => {
      expect((await stage.payment(stage.swap({ label: 'Order 7' }))).label).toBe('Order 7');
    },
    'has at most 255 characters': async (stage) => {
      const answer = await stage.ask(stage.swap({ label: 'x'.repeat(256) }));
      expect([answer.status, errorsOf(answer)[0]?.path]).toEqual([400, ['label']]);
    },
  },
  tags: {
    'are kept with the payment': async (stage) => {
      const payment = await stage.payment(stage.swap({ tags: ['a', 'b'] }));
      expect(payment.quote_request.tags).toEqual(['a', 'b']);
    },
  },
  rev_share_name: {
    'charges the share': async (stage) => {
      await stage.stack.operator(
        ...['rev-shares', 'create', '--organisation', stage.organisationId],
        ...['--name', 'partner', '--receivers', `alphanet:${RECEIVER}=1`],
      );
      await eventually(async () => {
        const { quote } = await stage.quote(stage.swap({ rev_share_name: 'partner' }));
        expect(changesOf(quote.route, 'produce', 'REV_SHARE')).toEqual([
          expect.objectContaining({ amount: '0.25' }),
        ]);
        expect(Number(quote.fees.business_fees)).toBeGreaterThan(0);
      }, PATIENCE);
    },
    'an unknown one is an issue of the configuration': async (stage) => {
      const answer = await stage.ask(stage.swap({ rev_share_name: 'nobody' }));
      expect([answer.status, errorsOf(answer)[0]?.kind]).toEqual([400, 'org_configuration']);
    },
  },
  allow_unsafe_transfer_out: {
    'skips the simulation of the payout': async (stage) => {
      const dest_address = stage.token('USDC').split(':')[1];
      const body = stage.fixedInput('ETH', { dest_address });
      expect((await stage.quotes(body)).quotes).toEqual([]);
      const unsafe = await stage.quotes({ ...body, allow_unsafe_transfer_out: true });
      expect(unsafe.quotes).toHaveLength(1);
    },
  },
  show_all_issues: {
    'lists every issue of a party': async (stage) => {
      const count = async (show_all_issues: boolean) => {
        const body = stage.purchase({ show_all_issues }, 'usd', '10');
        return issuesOf(await stage.quotes(body)).length;
      };
      expect(await count(true)).toBeGreaterThan(await count(false));
    },
  },
  allow_unsafe_slippage: {
    'widens the declared minimum': async (stage) => {
      const minimum = async (allow_unsafe_slippage: boolean) => {
        const { declaration } = await stage.payment(stage.swap({ allow_unsafe_slippage }));
        return BigInt(declaration.legs[0]?.min_output ?? 0);
      };
      expect(await minimum(true)).toBeLessThan(await minimum(false));
    },
  },
  allow_exceed_max_input_limit: {
    'lifts the ceiling for secret keys only': async (stage) => {
      const body = stage.transfer('3000');
      const refused = await stage.ask(body);
      expect([refused.status, errorsOf(refused)[0]]).toEqual([
        400,
        expect.objectContaining({ kind: 'amount', reason: 'TOO_HIGH' }),
      ]);
      const lifted = { ...body, allow_exceed_max_input_limit: true };
      expect((await stage.ask(lifted, stage.publishable)).status).toBe(403);
      const { quotes, fault } = await stage.quotes(lifted);
      expect({ quotes: quotes.length, fault }).toEqual({ quotes: 1, fault: null });
    },
  },
  use_intent_refund: {
    // Takes a fill window, after which the chains' clocks are ahead: no row could cross chains any more.
    'is kept with the payment, and both values are played in crossings': async (stage) => {
      const payment = await stage.payment(stage.swap({ use_intent_refund: true }));
      expect(payment.quote_request.use_intent_refund).toBe(true);
      const crossings = new URL('../e2e/testing/crossings/deadlines.fixture.ts', import.meta.url);
      expect(readFileSync(crossings, 'utf8')).toContain('its owner is refunded in either way');
    },
  },
  hops: {
    'lead over the named chain, whose leg is shown like the others': async (stage) => {
      const { chain, otherChain, secret: api } = stage;
      const last = new Chain(stage.file, 'deltanet');
      const input = { asset: chain.token('WETH'), amount: '0.02' };
      const user = await newTestUserWith(chain, input.asset, input.amount);
      const { payment, quote } = await quoteAndConfirm(api, {
        input,
        output: last.token('ETH'),
        owner: user.owner.address,
        destination: user.destination,
        hops: ['betanet'],
      });
      const chains = [chain, otherChain, last];
      expect(payment.declaration.legs.map(({ chain_id }) => Number(chain_id))).toEqual(
        chains.map(({ chainId }) => chainId),
      );
      await fund({ chain }, user, payment);
      const { payment_id } = payment;
      const completed = await reaches(api, payment_id, 'COMPLETE', CROSSES_TWICE_WITHIN_MS);
      const [deposit, ...legs] = completed.fulfilled.route;
      expect([deposit?.type, deposit?.status]).toEqual(['USER_FUND', 'COMPLETE']);
      expect(legs.map(({ type, status }) => [type, status])).toEqual(
        chains.map(() => ['ONCHAIN_STEP', 'COMPLETE']),
      );
      expect(legs.map(({ net_effect }) => net_effect.consume[0]?.resource.asset)).toEqual([
        chain.token('WETH'),
        otherChain.token('USDC'),
        last.token('USDC'),
      ]);
      expect(legs.map(({ pieces_info }) => pieces_info)).toEqual(
        quote.route.slice(1).map(({ pieces_info }) => pieces_info),
      );
      await verifyCompleted(chains, completed);
    },
    'an unknown chain, a repeated one, or the first or last is refused': async (stage) => {
      for (const hops of [['nochain'], ['betanet', 'betanet'], ['alphanet']]) {
        const answer = await stage.ask(stage.swap({ hops }));
        expect([hops, answer.status, errorsOf(answer)[0]?.path?.[0]]).toEqual([hops, 400, 'hops']);
      }
    },
  },
  features: {
    'BETA_EDGES opens edges under test': async (stage) => {
      const body = stage.purchase(BETA);
      expect((await stage.quotes(body)).quotes).toEqual([]);
      const { quotes } = await stage.quotes({ ...body, features: ['BETA_EDGES'] });
      expect(quotes.map(({ onramp_method }) => onramp_method)).toEqual(['APPLE_PAY']);
    },
    'ORG_BETA_EDGES opens those that an operator opened for the organisation': async (stage) => {
      const body = stage.purchase({ ...BETA, features: ['ORG_BETA_EDGES'] });
      expect((await stage.quotes(body)).quotes).toEqual([]);
      await stage.whileOpen(BETA_EDGE, async () => {
        expect((await stage.quotes(body)).quotes).toHaveLength(1);
      });
    },
    'ORG_EDGES opens the others that an operator opened': async (stage) => {
      const body = stage.purchase({ ...ORGANISATIONS, features: ['ORG_EDGES'] });
      expect((await stage.quotes(body)).quotes).toEqual([]);
      await stage.whileOpen(ORG_EDGE, async () => {
        expect((await stage.quotes(body)).quotes).toHaveLength(1);
      });
    },
  },
  test_outcome: {
    'a live key is refused': async (stage) => {
      const answer = await stage.ask(stage.swap({ test_outcome: 'FAILS' }));
      expect([answer.status, errorsOf(answer)[0]?.path]).toEqual([400, ['test_outcome']]);
    },
    'another value is refused': async (stage) => {
      const answer = await stage.ask(stage.swap({ test_outcome: 'EXPLODES' }), await stage.test());
      expect([answer.status, errorsOf(answer)[0]?.path]).toEqual([400, ['test_outcome']]);
    },
    'SLIPS declares a minimum that no route meets': async (stage) => {
      const { payment, quoted } = await confirmedTest(stage, 'SLIPS');
      expect(minimumOf(payment)).toBe(2n * quoted);
    },
    'FAILS leaves the declared minimum as it is': async (stage) => {
      const { payment, quoted } = await confirmedTest(stage, 'FAILS');
      expect(minimumOf(payment)).toBeLessThan(quoted);
      expect(fundingMsOf(payment)).toBe(600_000);
    },
    'EXPIRES leaves ten seconds for the funding': async (stage) => {
      expect(fundingMsOf((await confirmedTest(stage, 'EXPIRES')).payment)).toBe(10_000);
    },
    'PAYS_LATE leaves thirty': async (stage) => {
      expect(fundingMsOf((await confirmedTest(stage, 'PAYS_LATE')).payment)).toBe(30_000);
    },
  },
} satisfies Record<keyof QuoteRequest | 'payment_id', Rows>;
