import { getAddress, isAddress } from 'viem';
import type { Address } from 'viem';

/** Something that is worth the same on every chain where it is, smallest unit for smallest unit. */
export interface Asset {
  /** By the chain's name. */
  tokens: ReadonlyMap<string, Address>;
  /** Taken from every order besides the share of its amount. */
  flatFee: bigint;
  /** The least that is carried. */
  minAmount: bigint;
}

const AMOUNT = /^(0|[1-9][0-9]{0,77})$/;

/** Reads `SOLVER_ASSETS`; amounts in smallest units, as strings. */
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
  if (tokens.size < 2) throw new Error('expected tokens on two chains at least');
  return { tokens, flatFee: amount(fields, 'flat_fee'), minAmount: amount(fields, 'min_amount') };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('expected {tokens: {<chain>: <address>}, flat_fee, min_amount}');
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
