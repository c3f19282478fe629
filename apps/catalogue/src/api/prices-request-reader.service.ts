import { Chains } from '@bascule/chain';
import { invalidRequest, ServiceError, TEST_KEY_HINT, type KeyMode } from '@bascule/contracts';
import { RequestValidationPipe } from '@bascule/validation';
import { Inject, Injectable } from '@nestjs/common';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../config/catalogue.config.js';
import { ListingSnapshotService } from '../listing/listing-snapshot.service.js';
import { PricesRequestDto } from './prices-request.dto.js';
import { PricesService } from './prices.service.js';
import { tooManyTokens, unknownReferences } from './unknown-references.js';

/** Validates the body; one error lists every malformed and every unknown reference. */
@Injectable()
export class PricesRequestReaderService {
  private readonly shape = new RequestValidationPipe();

  constructor(
    private readonly chains: Chains,
    private readonly listing: ListingSnapshotService,
    private readonly prices: PricesService,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {}

  async read(body: unknown, mode: KeyMode | undefined): Promise<PricesRequestDto> {
    const tooMany = tooManyTokens(body, this.config.prices.maxTokens);
    if (tooMany.length > 0) throw invalidRequest(...tooMany);
    const unknown = unknownReferences(body, {
      isFiat: (code) => this.listing.has(code) && this.prices.mayHaveRate(code),
      isChain: (name) => this.isReachable(name, mode),
      hint: mode === 'test' ? TEST_KEY_HINT : '',
    });
    try {
      const dto: unknown = await this.shape.transform(body, {
        type: 'body',
        metatype: PricesRequestDto,
      });
      if (unknown.length === 0 && dto instanceof PricesRequestDto) return dto;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw invalidRequest(...error.errors, ...unknown);
    }
    throw invalidRequest(...unknown);
  }

  private isReachable(name: string, mode: KeyMode | undefined): boolean {
    const chain = this.chains.find(name);
    return chain !== undefined && (mode !== 'test' || chain.definition.isTestnet);
  }
}
