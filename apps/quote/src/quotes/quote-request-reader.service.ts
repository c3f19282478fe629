import { invalidRequest, ServiceError, type QuoteRequest } from '@bascule/contracts';
import { RequestValidationPipe } from '@bascule/http';
import { Inject, Injectable } from '@nestjs/common';
import { ONRAMP_PROVIDERS, type OnrampProviders } from '../onramps/onramp-providers.js';
import { AssetBook } from '../routing/asset-book.service.js';
import { QuoteRequestDto } from './quote-request.dto.js';
import { requestProblems, unavailableForms } from './request-problems.js';

/** Reads the body, and refuses it with what is wrong with its shape and its contents together. */
@Injectable()
export class QuoteRequestReader {
  private readonly shape = new RequestValidationPipe();

  constructor(
    private readonly book: AssetBook,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
  ) {}

  async read(body: unknown): Promise<QuoteRequest> {
    const unavailable = unavailableForms(body);
    if (unavailable.length > 0) throw invalidRequest(...unavailable);
    const { assets } = await this.book.current();
    const problems = requestProblems(body, { assets, providers: new Set(this.providers.keys()) });
    try {
      const dto: unknown = await this.shape.transform(body, {
        type: 'body',
        metatype: QuoteRequestDto,
      });
      if (problems.length === 0 && dto instanceof QuoteRequestDto) return dto;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw invalidRequest(...error.errors, ...problems);
    }
    throw invalidRequest(...problems);
  }
}
