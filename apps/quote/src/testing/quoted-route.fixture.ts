import type { TokenIdentifier } from '@bascule/contracts';
import fc from 'fast-check';
import type { GivenAmount } from '../routes/amount-issue.js';
import type { QuotedLeg, QuotedRoute } from '../routes/quoted-route.js';

export const USDC = 'alphanet:0x01' as const;
export const WETH = 'alphanet:0x02' as const;
export const FOREIGN_USDC = 'betanet:0x01' as const;
export const FOREIGN_NATIVE = 'betanet:0x' as const;
export const ADAPTER = '0xada';

const DECIMALS: Record<TokenIdentifier, number> = {
  [USDC]: 6,
  [FOREIGN_USDC]: 6,
  [WETH]: 18,
  [FOREIGN_NATIVE]: 18,
};
export const of = (asset: TokenIdentifier, units: bigint) => ({
  asset,
  decimals: DECIMALS[asset] ?? 0,
  units,
});

export const given = (asset: TokenIdentifier, units: bigint): GivenAmount => ({
  ...of(asset, units),
  symbol: asset === WETH ? 'WETH' : 'USDC',
});

export const transferLeg: QuotedLeg = {
  chain: 'alphanet',
  input: of(USDC, 10_000_000n),
  networkFee: 1_000_000n,
  businessFees: [],
  gas: 200_000n,
  gasCost: 10n ** 15n,
  gasLimit: 500_000n,
  venue: null,
  output: of(USDC, 9_000_000n),
  bridge: null,
};
const swapLeg: QuotedLeg = { ...transferLeg, venue: 'uniswap_v3', output: of(WETH, 4_000_000n) };
const bridgingLeg: QuotedLeg = {
  ...transferLeg,
  bridge: {
    name: 'intent_escrow',
    adapter: ADAPTER,
    delivered: of(FOREIGN_USDC, 8_900_000n),
    minDelivered: 8_900_000n,
    latencySeconds: 12,
    limits: {},
  },
};
const lastLeg: QuotedLeg = {
  chain: 'betanet',
  input: of(FOREIGN_USDC, 8_900_000n),
  networkFee: 500_000n,
  businessFees: [],
  gas: 200_000n,
  gasCost: 10n ** 15n,
  gasLimit: 500_000n,
  venue: null,
  output: of(FOREIGN_USDC, 8_400_000n),
  bridge: null,
};

export const transfer: QuotedRoute = {
  input: transferLeg.input,
  onramp: null,
  legs: [transferLeg],
};
export const swap: QuotedRoute = { ...transfer, legs: [swapLeg] };
export const onramp: QuotedRoute = {
  legs: [swapLeg],
  input: { asset: 'usd', decimals: 2, units: 1_050n },
  onramp: {
    provider: 'swiftramp',
    method: 'CREDIT_CARD',
    providerQuoteId: 'q1',
    latencySeconds: 60,
  },
};
export const bridged: QuotedRoute = { ...transfer, legs: [bridgingLeg, lastLeg] };
/** WETH to USDC, bridged, to native currency. */
export const convertedTwice: QuotedRoute = {
  input: of(WETH, 4_000_000n),
  onramp: null,
  legs: [
    { ...bridgingLeg, input: of(WETH, 4_000_000n), networkFee: 9n, venue: 'uniswap_v3' },
    { ...lastLeg, venue: 'uniswap_v3', output: of(FOREIGN_NATIVE, 2_700_000n) },
  ],
};

const units = fc.bigInt({ min: 1n, max: 10n ** 20n });
const anAmount = (asset: TokenIdentifier) => units.map((each) => of(asset, each));

const splitFees = (fees: bigint, bps: readonly number[]) => {
  const businessFees = bps.map((each, index) => ({
    receiver: `0x${index}`,
    units: (fees * BigInt(each)) / 10_000n,
  }));
  const shared = businessFees.reduce((sum, { units: each }) => sum + each, 0n);
  return { networkFee: fees - shared, businessFees };
};

/** Leg with `input` of which the fee leaves something. */
const aLeg = (
  input: ReturnType<typeof of>,
  o: { converted: TokenIdentifier | null; to: TokenIdentifier | null },
): fc.Arbitrary<QuotedLeg> =>
  fc
    .record({
      rest: fc.bigInt({ min: 1n, max: input.units }),
      shares: fc.array(fc.integer({ min: 0, max: 250 }), { maxLength: 4 }),
      output: anAmount(o.converted ?? input.asset),
      delivered: anAmount(o.to ?? input.asset),
      minDelivered: units,
    })
    .map(({ rest, shares, output, delivered, minDelivered }) => ({
      chain: input.asset.slice(0, input.asset.indexOf(':')),
      input,
      gas: 200_000n,
      gasCost: 10n ** 15n,
      gasLimit: 500_000n,
      // At most a tenth of what is not left goes to receivers.
      ...splitFees(input.units - rest, shares),
      venue: o.converted && 'uniswap_v3',
      output: o.converted ? output : { ...input, units: rest },
      bridge: o.to && {
        ...{ name: 'intent_escrow', adapter: ADAPTER, delivered, latencySeconds: 12, limits: {} },
        minDelivered: minDelivered < delivered.units ? minDelivered : delivered.units,
      },
    }));

/** Arbitrary amounts on every kind of route: with or without onramp, conversions and bridge. */
export const aQuotedRoute: fc.Arbitrary<QuotedRoute> = fc
  .record({
    buys: fc.boolean(),
    crosses: fc.boolean(),
    convertsFirst: fc.boolean(),
    convertsLast: fc.boolean(),
    start: units,
  })
  .chain(({ buys, crosses, convertsFirst, convertsLast, start }) => {
    const [from, middle] = crosses && convertsFirst ? [WETH, USDC] : [USDC, WETH];
    const deposit = of(from, start);
    const first = aLeg(deposit, {
      converted: convertsFirst ? middle : null,
      to: crosses ? FOREIGN_USDC : null,
    });
    const legs: fc.Arbitrary<QuotedLeg[]> = first.chain((leg): fc.Arbitrary<QuotedLeg[]> =>
      leg.bridge
        ? aLeg(of(FOREIGN_USDC, leg.bridge.delivered.units), {
            converted: convertsLast ? FOREIGN_NATIVE : null,
            to: null,
          }).map((last) => [leg, last])
        : fc.constant<QuotedLeg[]>([leg]),
    );
    return legs.map((all) => ({
      input: buys ? onramp.input : deposit,
      onramp: buys ? onramp.onramp : null,
      legs: all,
    }));
  });
