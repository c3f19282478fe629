import { invalidRequest, type QuoteRequest } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { ONRAMP_PROVIDERS, type OnrampProviders } from '../onramps/onramp-providers.js';
import { RequestReader } from '../requests/request-reader.service.js';
import { AssetBook } from '../routing/asset-book.service.js';
import { QuoteRequestDto } from './quote-request.dto.js';
import { requestProblems, unavailableForms } from './request-problems.js';

/** Reads the body of a request for quotes. */
@Injectable()
export class QuoteRequestReader {
  constructor(
    private readonly requests: RequestReader,
    private readonly book: AssetBook,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
  ) {}

  async read(body: unknown): Promise<QuoteRequest> {
    const unavailable = unavailableForms(body);
    if (unavailable.length > 0) throw invalidRequest(...unavailable);
    const { assets } = await this.book.current();
    const problems = requestProblems(body, { assets, providers: new Set(this.providers.keys()) });
    return this.requests.read('body', QuoteRequestDto, body, problems);
  }
}
