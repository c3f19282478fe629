import type { Decimal } from '@bascule/amounts';
import { PriceRepository } from '@bascule/catalogue-projection';
import type { AssetIdentifier, DecimalString, TokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface TokenFacts {
  token: TokenIdentifier;
  decimals: number;
  /** Price of one whole unit; null without one, and for a delisted token. */
  usdPrice: DecimalString | null;
}

const FACTS = `
  SELECT a.id AS token, a.decimals, CASE WHEN a.listed THEN p.usd::text END AS "usdPrice"
  FROM assets a LEFT JOIN prices p ON p.asset = a.id`;

/** Projected assets and prices. */
@Injectable()
export class AssetDirectoryRepository {
  /** A token's decimals never change. */
  private readonly decimals = new Map<TokenIdentifier, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly prices: PriceRepository,
  ) {}

  /** Facts of those tokens that were ever listed. A delisted one may still arrive, and be withdrawn. */
  async describe(tokens: readonly TokenIdentifier[]): Promise<TokenFacts[]> {
    if (tokens.length === 0) return [];
    return this.dataSource.query(`${FACTS} WHERE a.id = ANY($1)`, [tokens]);
  }

  async listedOn(chain: string): Promise<TokenFacts[]> {
    return this.dataSource.query(`${FACTS} WHERE a.chain = $1 AND a.listed ORDER BY a.id`, [chain]);
  }

  /** Tokens on a chain that a wallet may hold: the listed ones, and those of its payment that were delisted since. */
  async possibleOn(chain: string, paymentId: string): Promise<TokenFacts[]> {
    return this.dataSource.query(
      `${FACTS} WHERE a.chain = $1 AND (a.listed OR a.id IN (
         SELECT token FROM deposits WHERE payment_id = $2
         UNION SELECT jsonb_object_keys(decimals) FROM payments WHERE id = $2
       )) ORDER BY a.id`,
      [chain, paymentId],
    );
  }

  /** Null while one of the tokens is unknown. */
  async decimalsOf(
    tokens: readonly TokenIdentifier[],
  ): Promise<Record<TokenIdentifier, number> | null> {
    const unknown = tokens.filter((token) => !this.decimals.has(token));
    if (unknown.length > 0) await this.learnDecimals(unknown);
    const found: Record<TokenIdentifier, number> = {};
    for (const token of tokens) {
      const decimals = this.decimals.get(token);
      if (decimals === undefined) return null;
      found[token] = decimals;
    }
    return found;
  }

  /** Newest price, whatever its age. */
  async usdPrice(asset: AssetIdentifier): Promise<DecimalString | null> {
    return (await this.prices.newest([asset])).get(asset) ?? null;
  }

  /** Null without a price that was observed at most `maxAgeMs` ago. */
  async freshUsdPrice(asset: AssetIdentifier, maxAgeMs: number): Promise<Decimal | null> {
    return (await this.prices.fresh([asset], maxAgeMs)).get(asset) ?? null;
  }

  private async learnDecimals(tokens: readonly TokenIdentifier[]): Promise<void> {
    const rows: { id: TokenIdentifier; decimals: number }[] = await this.dataSource.query(
      'SELECT id, decimals FROM assets WHERE id = ANY($1)',
      [tokens],
    );
    for (const { id, decimals } of rows) this.decimals.set(id, decimals);
  }
}
