import { invalidRequest, ServiceError } from '@bascule/contracts';
import { RequestValidationPipe } from '@bascule/validation';
import { Injectable } from '@nestjs/common';
import { ListingSnapshotService } from '../listing/listing-snapshot.service.js';
import { AssetsQueryDto } from './assets-query.dto.js';
import { unlistedAssets } from './unlisted-assets.js';

/** Validates the query; one error lists every malformed and every unlisted asset. */
@Injectable()
export class AssetsRequestReaderService {
  private readonly shape = new RequestValidationPipe();

  constructor(private readonly listing: ListingSnapshotService) {}

  async read(query: unknown): Promise<AssetsQueryDto> {
    const unlisted = unlistedAssets(query, (id) => this.listing.has(id));
    try {
      const dto: unknown = await this.shape.transform(query, {
        type: 'query',
        metatype: AssetsQueryDto,
      });
      if (unlisted.length === 0 && dto instanceof AssetsQueryDto) return dto;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw invalidRequest(...error.errors, ...unlisted);
    }
    throw invalidRequest(...unlisted);
  }
}
