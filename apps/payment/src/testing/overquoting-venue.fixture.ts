import type { ConversionRequest, ExactOutputRequest, Venue, VenueQuote } from '@bascule/venues';
import type { ChainView } from '@bascule/chain';

const PPM = 1_000_000n;

/** Venue that converts as another one does, and quotes more than that. */
export class OverquotingVenue implements Venue {
  readonly name = 'overquoting';

  constructor(
    private readonly honest: Venue,
    /** Millionths of the honest output that it adds. */
    private readonly liePpm: bigint,
  ) {}

  mayConvert(...question: Parameters<Venue['mayConvert']>): boolean {
    return this.honest.mayConvert(...question);
  }

  pairs(...question: Parameters<Venue['pairs']>): ReturnType<Venue['pairs']> {
    return this.honest.pairs(...question);
  }

  async quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null> {
    const quote = await this.honest.quoteExactInput(chain, request);
    if (quote === null) return null;
    const amountOut = (quote.amountOut * (PPM + this.liePpm)) / PPM;
    return { ...quote, venue: this.name, amountOut };
  }

  async quoteExactOutput(
    chain: ChainView,
    request: ExactOutputRequest,
  ): ReturnType<Venue['quoteExactOutput']> {
    const quote = await this.honest.quoteExactOutput(chain, request);
    if (quote === null) return null;
    return { ...quote, venue: this.name, amountIn: (quote.amountIn * PPM) / (PPM + this.liePpm) };
  }
}
