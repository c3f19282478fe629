import { Chains } from '@bascule/chain';
import { invalidRequest, ServiceError } from '@bascule/contracts';
import { RequestValidationPipe } from '@bascule/http';
import { Injectable } from '@nestjs/common';
import { listedFiats } from '../assets/listed-assets.js';
import { PricesRequestDto } from './prices-request.dto.js';
import { unknownReferences } from './unknown-references.js';

/** Reads the body, and refuses it with what is wrong with its shape and its references together. */
@Injectable()
export class PricesRequestReader {
  private readonly shape = new RequestValidationPipe();
  private readonly fiats = new Set(listedFiats().map(({ id }) => id));

  constructor(private readonly chains: Chains) {}

  async read(body: unknown): Promise<PricesRequestDto> {
    const unknown = unknownReferences(body, {
      isFiat: (code) => this.fiats.has(code),
      isChain: (name) => this.chains.find(name) !== undefined,
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
}
