import { invalidRequest, type QuoteRequest } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { ONRAMP_PROVIDERS, type OnrampProviders } from '../sources/onramps/onramp-providers.js';
import { RequestReaderService } from '../requests/request-reader.service.js';
import { AssetBookService } from '../catalogue/asset-book.service.js';
import { QuoteRequestDto } from './quote-request.dto.js';
import { requestProblems, unavailableForms } from './request-problems.js';

/** Reads the body of a request for quotes. */
@Injectable()
export class QuoteRequestReaderService {
  constructor(
    private readonly requests: RequestReaderService,
    private readonly book: AssetBookService,
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
