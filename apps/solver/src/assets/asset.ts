import { getAddress, isAddress } from 'viem';
import type { Address } from 'viem';

/** Asset whose tokens have the same value on every chain, smallest unit for smallest unit. */
export interface Asset {
  /** Token by name of its chain. */
  tokens: ReadonlyMap<string, Address>;
  /** Charged for every order in addition to the share of its amount. */
  flatFee: bigint;
  /** Smallest amount of an order. */
  minAmount: bigint;
  /** Value of a whole native coin by name of its chain, where it is configured. */
  nativeValues: ReadonlyMap<string, bigint>;
}

const AMOUNT = /^(0|[1-9][0-9]{0,77})$/;

/** Parses `SOLVER_ASSETS`; amounts are strings in smallest units. */
export function parseAssets(text: string): readonly Asset[] {
  const items: unknown = JSON.parse(text);
  if (!Array.isArray(items) || items.length === 0) throw new Error('expected a list of assets');
  const assets = items.map((item: unknown) => parseAsset(fieldsOf(item)));
  const tokens = assets.flatMap((asset) => [...asset.tokens].map((token) => token.join(':')));
  if (new Set(tokens).size < tokens.length) throw new Error('expected every token once');
  return assets;
}

function parseAsset(fields: Record<string, unknown>): Asset {
  const tokens = new Map(
    Object.entries(fieldsOf(fields.tokens)).map(([chain, address]) => {
      if (typeof address !== 'string' || !isAddress(address)) {
        throw new Error(`expected the address of the token on ${chain}`);
      }
      return [chain, getAddress(address)] as const;
    }),
  );
  if (tokens.size < 2) throw new Error('expected tokens on at least two chains');
  return {
    tokens,
    flatFee: amount(fields, 'flat_fee'),
    minAmount: amount(fields, 'min_amount'),
    nativeValues: parseNativeValues(fields.native_values ?? {}, tokens),
  };
}

function parseNativeValues(value: unknown, tokens: Asset['tokens']): Asset['nativeValues'] {
  const fields = fieldsOf(value);
  return new Map(
    Object.keys(fields).map((chain) => {
      if (!tokens.has(chain))
        throw new Error(`expected no native value on ${chain}, without a token`);
      const worth = amount(fields, chain);
      if (worth === 0n) throw new Error(`expected a native value on ${chain} above 0`);
      return [chain, worth] as const;
    }),
  );
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(
      'expected {tokens: {<chain>: <address>}, flat_fee, min_amount, native_values?}',
    );
  }
  return value as Record<string, unknown>;
}

function amount(fields: Record<string, unknown>, name: string): bigint {
  const value = fields[name];
  if (typeof value !== 'string' || !AMOUNT.test(value)) {
    throw new Error(`expected ${name} as smallest units in a string`);
  }
  return BigInt(value);
}
