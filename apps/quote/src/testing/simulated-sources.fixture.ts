import { ALL_BPS, divide, formatAmount, maxAmount, parseAmount } from '@bascule/amounts';
import type { ChainView } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import {
  ProviderError,
  type OnrampProvider,
  type OnrampQuote,
  type OnrampQuoteRequest,
} from '@bascule/providers';
import {
  BridgeRefusedError,
  type Bridge,
  type BridgeQuote,
  type BridgeRequest,
  type ConversionRequest,
  type ExactOutputQuote,
  type ExactOutputRequest,
  type Venue,
  type VenueQuote,
} from '@bascule/venues';
import { zeroAddress, type Address } from 'viem';

const WHOLE = BigInt(ALL_BPS);

/** Reserves of a pool with a constant product, by token identifier. */
export interface Pool {
  reserves: ReadonlyMap<string, bigint>;
  feeBps: bigint;
  gas: bigint;
}

type Tokens = Pick<ConversionRequest, 'inputToken' | 'outputToken'>;

/** Venue with one pool on each chain, in memory. */
export class SimulatedVenue implements Venue {
  readonly name = 'pools';

  constructor(private readonly pools: ReadonlyMap<string, Pool>) {}

  mayConvert(): boolean {
    return true;
  }

  async pairs(): Promise<[]> {
    return [];
  }

  outputOf(chain: string, tokens: Tokens, amountIn: bigint): bigint {
    const { from, to, feeBps } = this.pool(chain, tokens);
    const net = amountIn * (WHOLE - feeBps);
    return (to * net) / (from * WHOLE + net);
  }

  async quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null> {
    const { amountIn } = request;
    const amountOut = this.outputOf(chain.name, request, amountIn);
    if (amountOut <= 0n) return null;
    const { gas } = this.pool(chain.name, request);
    return { venue: this.name, amountIn, amountOut, gas, route: '', calls: () => [] };
  }

  async quoteExactOutput(
    chain: ChainView,
    request: ExactOutputRequest,
  ): Promise<ExactOutputQuote | null> {
    const { from, to, feeBps, gas } = this.pool(chain.name, request);
    const { amountOut } = request;
    if (amountOut >= to) return null;
    const net = divide(from * amountOut, to - amountOut, 'up');
    return { venue: this.name, amountIn: divide(net * WHOLE, WHOLE - feeBps, 'up'), gas };
  }

  private pool(chain: string, { inputToken, outputToken }: Tokens) {
    const pool = this.pools.get(chain);
    const reserve = (token: Address) => pool?.reserves.get(tokenIdentifier(chain, token));
    const [from, to] = [reserve(inputToken), reserve(outputToken)];
    if (!pool || from === undefined || to === undefined) throw new Error(`no pool on ${chain}`);
    return { from, to, feeBps: pool.feeBps, gas: pool.gas };
  }
}

/** Fees of an onramp: a share, rounded up to whole units or not, and a flat amount. */
interface OnrampFees {
  bps: bigint;
  flat: bigint;
  roundsFees: boolean;
}

interface BridgeTerms {
  bps: bigint;
  /** By token identifier, in its smallest units. */
  flatOf: (token: string) => bigint;
  decimalsOf: (token: string) => number;
}

/** Bridge that carries every token to the same token of another chain, in memory. */
export class SimulatedBridge implements Pick<Bridge, 'name' | 'gas' | 'quote'> {
  readonly name = 'bridge';
  readonly gas = 90_000n;

  constructor(private readonly terms: BridgeTerms) {}

  delivered(from: string, to: string, amount: bigint): bigint {
    const { bps, flatOf, decimalsOf } = this.terms;
    const left = maxAmount(amount * (WHOLE - bps) - flatOf(from) * WHOLE, 0n);
    return (left * 10n ** BigInt(decimalsOf(to))) / (10n ** BigInt(decimalsOf(from)) * WHOLE);
  }

  async quote({ origin, destination, ...request }: BridgeRequest): Promise<BridgeQuote> {
    const from = tokenIdentifier(origin.name, request.inputToken);
    const to = tokenIdentifier(destination.name, request.outputToken);
    const delivered = this.delivered(from, to, request.amount);
    if (delivered === 0n) {
      const min = this.terms.flatOf(from) * 2n + 1n;
      throw new BridgeRefusedError(this.name, 'too little', { min });
    }
    return { bridge: this.name, adapter: zeroAddress, delivered, latencySeconds: 5 };
  }
}

/** Provider that sells at the market price less its fees, in memory; counts its quotes. */
export class SimulatedOnramp implements Partial<OnrampProvider> {
  readonly name = 'ramp';
  requests = 0;

  constructor(
    readonly terms: {
      fees: OnrampFees;
      fiatDecimals: number;
      /** Tokens of the fiat's smallest unit, in smallest units, times 10^18. */
      unitsPerFiat: (token: string) => bigint;
    },
  ) {}

  delivered(token: string, fiatUnits: bigint): bigint {
    const { bps, flat, roundsFees } = this.terms.fees;
    const share = fiatUnits * bps;
    // In parts of 1 / 10,000 of a unit.
    const fee = (roundsFees ? divide(share, WHOLE, 'up') * WHOLE : share) + flat * WHOLE;
    const rest = maxAmount(fiatUnits * WHOLE - fee, 0n);
    return (rest * this.terms.unitsPerFiat(token)) / (10n ** 18n * WHOLE);
  }

  async quote({ token, fiatAmount }: OnrampQuoteRequest): Promise<OnrampQuote> {
    this.requests += 1;
    const { fiatDecimals } = this.terms;
    const deliveryAmount = this.delivered(token, parseAmount(fiatAmount, fiatDecimals));
    if (deliveryAmount === 0n) throw tooLittle(this.name, fiatAmount);
    const limits = { min: formatAmount(1n, fiatDecimals), max: '1000000000' };
    return {
      ...{ providerQuoteId: 'quote', deliveryAmount, latencySeconds: 5, limits },
      fees: { total: '0' },
    };
  }
}

const tooLittle = (provider: string, given: string): ProviderError =>
  new ProviderError(provider, 'amount', [
    {
      ...{ kind: 'amount', asset: 'fia', given, limits: {}, source: provider },
      ...{ message: 'too little', reason: 'TOO_LOW' },
    },
  ]);
