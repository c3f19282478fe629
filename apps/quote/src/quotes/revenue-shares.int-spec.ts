import { addDecimals, compareDecimals, parseAmount, subDecimals, valueOf } from '@bascule/amounts';
import {
  parseTokenIdentifier,
  type PlannedFee,
  type Quote,
  type QuotesResponse,
  type RevenueShareReceiver,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  FOREIGN_USDC,
  NATIVE,
  organisationRecord,
  USDC,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import {
  FEE_RECEIVER,
  fixedInput,
  fixedOutput,
  ORGANISATION,
  startQuoteStand,
  type Answer,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import type { StubOnramp } from '../testing/stub-onramps.fixture.js';
import { delivers, startStubSolver, type StubSolver } from '../testing/stub-solver.fixture.js';

const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-00000000000b';
const FIRST = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SECOND = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const ALICE: RevenueShareReceiver = { chain: 'alphanet', address: FIRST, pct: '1.5' };
const BOB: RevenueShareReceiver = { chain: 'alphanet', address: SECOND, pct: '0.3333' };

const SHARES = [
  { name: 'partner', receivers: [ALICE, BOB] },
  { name: 'abroad', receivers: [{ ...ALICE, chain: 'betanet' }] },
  { name: 'both', receivers: [ALICE, { ...BOB, chain: 'betanet', pct: '2.5' }] },
  { name: 'nowhere', receivers: [{ ...ALICE, chain: 'gammanet' }] },
  { name: 'whole', receivers: [{ ...ALICE, pct: '2.5' }] },
  { name: 'greedy', receivers: [ALICE, { ...BOB, pct: '1.0001' }] },
];

const seller: StubOnramp = {
  behaviour: 'honest',
  feePercent: 1n,
  sells: [
    {
      ...{ network: 'alphanet', contract: parseTokenIdentifier(USDC).address },
      ...{ decimals: 6, usd: 1n },
    },
  ],
  methods: ['ach'],
};

describe('quotes with a revenue share', () => {
  let stand: QuoteStand;
  let solver: StubSolver;

  beforeAll(async () => {
    solver = await startStubSolver();
    stand = await startQuoteStand({ seller }, {}, solver);
    await stand.transport.publish([
      organisationRecord(ORGANISATION, 1, { revenue_shares: SHARES }),
      organisationRecord(OTHER_ORGANISATION, 1, {
        revenue_shares: [{ name: 'theirs', receivers: [ALICE] }],
      }),
    ]);
    await eventually(async () => {
      expect((await named('partner')).status).toBe(200);
      expect((await named('theirs', OTHER_ORGANISATION)).status).toBe(200);
    });
  });
  afterAll(async () => {
    await stand.stop();
    await solver.stop();
  });

  const named = async (
    rev_share_name: string,
    orgId = ORGANISATION,
    [asset, amount, output] = [USDC as string, '100', USDC as string],
  ): Promise<Answer<QuotesResponse>> => {
    const request = fixedInput(asset, amount, output, { rev_share_name });
    const { status, body } = await stand.ask(request, ['quotes'], { orgId });
    return { status, body };
  };

  async function onlyQuote(name: string, given: [string, string, string]) {
    const { status, body } = await named(name, ORGANISATION, given);
    expect(body.failures ?? body).toEqual([]);
    expect(status).toBe(200);
    const [quote] = body.quotes;
    const [sealed] = (await stand.open(body.state_token)).quotes;
    if (!quote || !sealed) throw new Error('expected a quote');
    return { quote, legs: sealed.plan.legs, prices: body.current_prices };
  }

  const feesOf = (fees: readonly PlannedFee[], kind: PlannedFee['kind']) =>
    fees.filter((fee) => fee.kind === kind).map(({ receiver, amount }) => [receiver, amount]);
  const sharesIn = ({ route }: Quote, index: number) =>
    route[index]?.net_effect.produce
      .filter(({ account }) => account === 'REV_SHARE')
      .map(({ resource, amount }) => [resource.asset, amount]);
  const pieces = ({ route }: Quote) =>
    route.map(({ pieces_info }) => pieces_info.map(({ type }) => type));

  function expectBalanced({ fees, output_amount }: Quote, worth: string, price: string): void {
    const { total_fees, conversion_fees, network_fees, business_fees } = fees;
    const sum = addDecimals(conversion_fees, network_fees, business_fees);
    expect(compareDecimals(sum, total_fees)).toBe(0);
    const left = subDecimals(worth, total_fees);
    const units = parseAmount(output_amount.amount, 18);
    const missing = subDecimals(valueOf(units, 18, price), left);
    expect(compareDecimals(missing, '0')).toBeGreaterThanOrEqual(0);
    expect(compareDecimals(missing, '0.00000002')).toBeLessThan(0);
  }

  it('takes exactly the percentages of a token input, for every receiver', async () => {
    const { quote, legs } = await onlyQuote('partner', [USDC, '99.999999', USDC]);
    const [leg] = legs;
    expect(leg?.fees.map(({ kind }) => kind)).toEqual(['network', 'business', 'business']);
    expect(feesOf(leg?.fees ?? [], 'network')).toEqual([[FEE_RECEIVER, leg?.fees[0]?.amount]]);
    // 1.5 % and 0.3333 % of 99,999,999 units are 1,499,999.985 and 333,299.997; the sum is rounded down once.
    expect(feesOf(leg?.fees ?? [], 'business')).toEqual([
      [FIRST, '1499999'],
      [SECOND, '333300'],
    ]);
    expect(quote.fees.business_fees).toBe('1.833299');
    expect(sharesIn(quote, 1)).toEqual([
      [USDC, '1.499999'],
      [USDC, '0.3333'],
    ]);
    expect(pieces(quote)).toEqual([['user_fund'], ['rev_share', 'transfer_out']]);
    const paid = (leg?.fees ?? []).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    expect(leg?.output_amount).toBe(String(99_999_999n - paid));
    expect(leg?.min_output).toBe(leg?.output_amount);
    expectBalanced(quote, '99.999999', '1');
  });

  it('takes the share before a conversion', async () => {
    const { quote, legs, prices } = await onlyQuote('partner', [NATIVE, '1', USDC]);
    expect(feesOf(legs[0]?.fees ?? [], 'business')).toEqual([
      [FIRST, '15000000000000000'],
      [SECOND, '3333000000000000'],
    ]);
    expect(pieces(quote)[1]).toEqual(['rev_share', 'convert', 'transfer_out']);
    expect(quote.fees.business_fees).toBe('54.999');
    expectBalanced(quote, String(prices[NATIVE]), '1');
  });

  it('is a percentage of the fiat that the customer pays', async () => {
    const { quote, legs } = await onlyQuote('partner', ['usd', '200', WETH]);
    expect(legs[0]?.input_amount).toBe('198000000');
    expect(feesOf(legs[0]?.fees ?? [], 'business')).toEqual([
      [FIRST, '3000000'],
      [SECOND, '666600'],
    ]);
    expect(quote.fees.business_fees).toBe('3.6666');
    expectBalanced(quote, '200', '3000');
  });

  it('is taken once, on the first chain with receivers', async () => {
    const { quote, legs } = await onlyQuote('both', [USDC, '100', FOREIGN_USDC]);
    expect(legs.map(({ fees }) => feesOf(fees, 'business'))).toEqual([[[FIRST, '1500000']], []]);
    expect(quote.fees.business_fees).toBe('1.5');
    expect(pieces(quote)[1]).toEqual(['rev_share', 'bridge']);
  });

  it('is a percentage of the input also behind a bridge', async () => {
    const { quote, legs } = await onlyQuote('abroad', [USDC, '100', FOREIGN_USDC]);
    const [first, last] = legs;
    expect(feesOf(first?.fees ?? [], 'business')).toEqual([]);
    expect(last?.input_amount).toBe(String(delivers(BigInt(first?.output_amount ?? 0))));
    expect(feesOf(last?.fees ?? [], 'business')).toEqual([[FIRST, '1500000']]);
    expect(sharesIn(quote, 2)).toEqual([[FOREIGN_USDC, '1.5']]);
  });

  it('is a percentage of the input that a fixed output needs', async () => {
    const { body } = await stand.ask(
      fixedOutput(USDC, '100', USDC, { rev_share_name: 'partner' }),
      ['quotes'],
    );
    expect(body.failures).toEqual([]);
    const [leg] = (await stand.open(body.state_token)).quotes[0]?.plan.legs ?? [];
    const input = BigInt(leg?.input_amount ?? 0);
    expect(feesOf(leg?.fees ?? [], 'business')).toEqual([
      [FIRST, String((input * 15_000n) / 1_000_000n)],
      [SECOND, String((input * 18_333n) / 1_000_000n - (input * 15_000n) / 1_000_000n)],
    ]);
    expect(leg?.min_output).toBe('100000000');
    expect(BigInt(leg?.output_amount ?? 0)).toBeGreaterThanOrEqual(100_000_000n);
  });

  it('charges the gas of the additional transfers', async () => {
    const [without, shared] = await Promise.all([
      stand.ask(fixedInput(USDC, '100', USDC)),
      named('partner'),
    ]);
    const gasOf = ({ body }: Answer<QuotesResponse>) => String(body.quotes[0]?.fees.network_fees);
    expect(compareDecimals(gasOf(shared), gasOf(without))).toBe(1);
  });

  it('allows exactly 2.5 %', async () => {
    const { quote } = await onlyQuote('whole', [USDC, '100', USDC]);
    expect(quote.fees.business_fees).toBe('2.5');
  });

  it('refuses a share over 2.5 %, with the percentages', async () => {
    expect(await named('greedy')).toEqual({
      status: 400,
      body: {
        errors: [
          {
            kind: 'org_configuration',
            message: 'Revenue share greedy takes 2.5001 %; at most 2.5 % is allowed.',
            rev_share_pct: '1.5',
            total_pct: '2.5001',
            threshold: '2.5',
          },
        ],
      },
    });
  });

  it('reports a route without receivers as a failure of its chains', async () => {
    const { status, body } = await named('nowhere');
    const issue = {
      kind: 'org_configuration',
      message: 'The revenue share has no receivers on alphanet.',
    };
    expect(status).toBe(200);
    expect(body).toMatchObject({ quotes: [], fault: issue });
    expect(body.failures).toMatchObject([{ service_ids: ['alphanet'], issues: [issue] }]);
  });

  it.each([
    ['an unknown name', 'unknown', ORGANISATION],
    ['the name in another letter case', 'Partner', ORGANISATION],
    ['an empty name', '', ORGANISATION],
    ['a name of another organisation', 'theirs', ORGANISATION],
    ['a name of another organisation, the other way', 'partner', OTHER_ORGANISATION],
    ['any name without settings', 'partner', '0190b2c3-0000-7000-8000-00000000000c'],
  ])('refuses %s', async (_, name, orgId) => {
    const message = `Revenue share ${name} is not configured.`;
    expect(await named(name, orgId)).toEqual({
      status: 400,
      body: { errors: [{ kind: 'org_configuration', message }] },
    });
  });

  it('reports problems of the request alone, in one body shape', async () => {
    const { status, body } = await stand.refused(
      fixedInput('usd', '1.001', USDC, { rev_share_name: 'unknown' }),
    );
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ code: 'custom' }]);
    expect(body.errors).toHaveLength(1);
    const wrongType = await stand.refused(fixedInput(USDC, '1', USDC, { rev_share_name: 7 }));
    expect(wrongType.body.errors).toMatchObject([
      { code: 'invalid_type', path: ['rev_share_name'] },
    ]);
  });

  it('names an amount that suffices for the fees and the share', async () => {
    const refused = await named('whole', ORGANISATION, [USDC, '0.000001', USDC]);
    expect(refused.status).toBe(400);
    const { errors } = refused.body as unknown as { errors: { limits: { min: string } }[] };
    const min = errors[0]?.limits.min ?? '';
    expect((await named('whole', ORGANISATION, [USDC, min, USDC])).body.quotes).toHaveLength(1);
  });

  it('follows the settings while running, and ignores older states', async () => {
    const partner = { name: 'partner', receivers: [ALICE] };
    const states = [
      organisationRecord(ORGANISATION, 3, { revenue_shares: [...SHARES.slice(1), partner] }),
      organisationRecord(ORGANISATION, 2, { revenue_shares: [] }),
    ];
    await stand.transport.publish([...states, ...states]);
    await eventually(async () => {
      expect((await named('partner')).body.quotes[0]?.fees.business_fees).toBe('1.5');
    });
    await stand.transport.publish([
      organisationRecord(ORGANISATION, 4, { revenue_shares: SHARES.slice(1) }),
    ]);
    await eventually(async () => {
      expect((await named('partner')).status).toBe(400);
    });
    expect((await named('whole')).status).toBe(200);
  });
});
