import { gasPriceOf, maxDataFeeOf } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { Injectable } from '@nestjs/common';

const MAX_AGE_MS = 1_000;
/** Sizes are rounded up to multiples of this. */
const STEP_BYTES = 512;

interface Read {
  value: Promise<bigint>;
  fetchedAt: number;
}

/** Gas prices in wei per unit of gas; one RPC request per chain serves all concurrent quotes. */
@Injectable()
export class GasPricesService {
  private readonly prices = new Map<string, Read>();
  private readonly dataFees = new Map<string, Read>();

  of(chain: Chain): Promise<bigint> {
    return cached(this.prices, chain.name, () => gasPriceOf(chain));
  }

  /** Highest fee of a rollup for a transaction of this size, in wei; 0 on other chains. */
  async dataFee(chain: Chain, bytes: number): Promise<bigint> {
    if (chain.definition.dataFeeOracle === undefined) return 0n;
    const size = Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
    return cached(this.dataFees, `${chain.name} ${size}`, () => maxDataFeeOf(chain, size));
  }
}

function cached(
  reads: Map<string, Read>,
  key: string,
  read: () => Promise<bigint>,
): Promise<bigint> {
  const now = Date.now();
  const known = reads.get(key);
  if (known && now - known.fetchedAt < MAX_AGE_MS) return known.value;
  // Sizes are the caller's choice: what is too old must not stay.
  for (const [old, { fetchedAt }] of reads) if (now - fetchedAt >= MAX_AGE_MS) reads.delete(old);
  const value = read();
  reads.set(key, { value, fetchedAt: now });
  value.catch(() => reads.delete(key));
  return value;
}
