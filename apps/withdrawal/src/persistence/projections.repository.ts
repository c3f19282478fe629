import type { TokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { ProjectedAsset } from './projected-asset.entity.js';
import { ProjectedPayment } from './projected-payment.entity.js';
import { ProjectedPrice } from './projected-price.entity.js';

/** Reads the projections of payments, tokens and prices. */
@Injectable()
export class ProjectionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  payment(id: string): Promise<ProjectedPayment | null> {
    return this.dataSource.getRepository(ProjectedPayment).findOneBy({ id });
  }

  paymentOfWallet(walletAddress: string): Promise<ProjectedPayment | null> {
    return this.dataSource
      .getRepository(ProjectedPayment)
      .findOneBy({ walletAddress: walletAddress.toLowerCase() });
  }

  listedTokens(chains: readonly string[]): Promise<ProjectedAsset[]> {
    return this.dataSource
      .getRepository(ProjectedAsset)
      .find({ where: { chain: In([...chains]), listed: true }, order: { id: 'ASC' } });
  }

  tokens(ids: readonly TokenIdentifier[]): Promise<ProjectedAsset[]> {
    return this.dataSource.getRepository(ProjectedAsset).findBy({ id: In([...ids]) });
  }

  /** US dollars by asset; assets without a price are left out. */
  async prices(assets: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.dataSource
      .getRepository(ProjectedPrice)
      .findBy({ asset: In([...assets]) });
    return new Map(rows.map(({ asset, usd }) => [asset, usd]));
  }
}
