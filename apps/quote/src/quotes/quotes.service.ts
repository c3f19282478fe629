import { PriceRepository } from '@bascule/catalogue-projection';
import { Chains } from '@bascule/chain';
import {
  forbidden,
  invalidField,
  invalidRequest,
  pauseMessage,
  pauseOf,
  placeName,
  refusedPlace,
  testOutcomeOf,
  unpricedCurrency,
  type CustomActions,
  type Geolocation,
  type PaymentPlan,
  type Quote,
  type QuoteRequest,
  type QuotesResponse,
  type QuoteState,
} from '@bascule/contracts';
import { CountryRulesService } from '@bascule/country-rules';
import { Geolocator } from '@bascule/geolocation';
import type { OnrampCustomer } from '@bascule/providers';
import type { Caller } from '@bascule/identity';
import { SealedTokenError, SealedTokens } from '@bascule/sealed-tokens';
import { SwitchesService } from '@bascule/switches';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { QuoteMetricsService } from '../metrics/quote-metrics.service.js';
import { customerAddresses, customerPlaces, isSoldIn } from '../places/places.js';
import { RequestersService } from '../organisations/requesters.service.js';
import { RevenueSharesService } from '../organisations/revenue-shares.service.js';
import { inputCeilingIssue } from '../pricing/input-ceiling.js';
import { approvedTokens } from '../pricing/custom-actions.js';
import { paymentPlan } from '../pricing/payment-plan.js';
import { planForOutcome } from '../pricing/test-outcome-plan.js';
import type { KnownAssets } from '../routes/known-asset.js';
import { PriceBook } from '../routes/price-book.js';
import type { PricedRoute } from '../routes/quoted-route.js';
import type { RequestContext } from '../routes/quoting-context.js';
import { sourceCaches } from '../routes/request-cache.js';
import { groupFailures, RouteFailure, type TimedFailure } from '../routes/route-failure.js';
import { assetsToPrice, chainNameOf, type Route } from '../routes/route.js';
import { isQuotable } from '../routing/availability.js';
import { RoutingService } from '../routing/routing.service.js';
import { KeyScopesService } from '../sources/key-scopes.service.js';
import { PayoutChecksService } from './payout-checks.service.js';
import { quoteOutcome } from './quote-outcome.js';
import { fixedAmount, requestedAssets } from './requested-amount.js';
import { RouteQuoterService } from './route-quoter.service.js';
import { bestQuotes, filterRoutes } from './selection.js';
import { sourceLimits } from './source-limits.js';
import { withTellingIssue } from './telling-issue.js';
import { disabledMethods, unknownProviders, unofferedMethods } from './unoffered-ramps.js';
import { assetsOf, toQuote } from './to-quote.js';

interface PlannedQuote {
  quote: Quote;
  plan: PaymentPlan;
}

@Injectable()
export class QuotesService {
  constructor(
    private readonly routing: RoutingService,
    private readonly quoter: RouteQuoterService,
    private readonly payoutChecks: PayoutChecksService,
    private readonly prices: PriceRepository,
    private readonly revenueShares: RevenueSharesService,
    private readonly requesters: RequestersService,
    private readonly tokens: SealedTokens,
    private readonly chains: Chains,
    private readonly metrics: QuoteMetricsService,
    private readonly geolocator: Geolocator,
    private readonly countryRules: CountryRulesService,
    private readonly keyScopes: KeyScopesService,
    private readonly switches: SwitchesService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /** @throws ServiceError when no route has a quote and only the amount is at fault */
  quote(request: QuoteRequest, caller: Caller): Promise<QuotesResponse> {
    return this.metrics.countOutcome(() => this.respond(request, caller));
  }

  private async respond(request: QuoteRequest, caller: Caller): Promise<QuotesResponse> {
    requireCeilingRight(request, caller);
    await this.requireUnpaused(caller);
    const wanted = requestedAssets(request.request);
    const { orgId } = caller;
    const revenueShare = await this.revenueShares.find(orgId, request.rev_share_name);
    const addresses = customerAddresses(request.customer_ip_address, caller);
    const located = addresses.map((address) => this.geolocator.locate(address));
    const places = customerPlaces(request.customer_geolocation, located);
    const countryRules = await this.countryRules.current();
    const {
      routes,
      assets,
      failures: coverageFailures,
    } = await this.findRoutes(request, { caller, places, countryRules });
    const place = places[0] ?? null;
    const prices = await this.priceBook(request, routes);
    const fixed = fixedAmount(request.request, assets);
    const maxInputUsd = request.allow_exceed_max_input_limit ? null : this.config.maxInputUsd;
    const tooHigh =
      fixed.side === 'input' ? inputCeilingIssue(fixed.input, { prices, maxInputUsd }) : null;
    const issues = [revenueShare.issue, tooHigh].filter((issue) => issue !== null);
    if (issues.length > 0) throw invalidRequest(...issues);
    const showsAllIssues = request.show_all_issues ?? false;
    const { quoted, failures } = await this.quoter.quoteAll(
      routes,
      fixed,
      {
        assets,
        prices,
        customer: customerOf(request, addresses[0], place),
        places,
        countryRules,
        caches: sourceCaches(),
        allowsPriceImpact: request.allow_unsafe_slippage ?? false,
        maxFeeBps: this.config.maxFeeShareBps,
        maxInputUsd,
        slippageBps: this.slippageFor(request),
        revenueShare: revenueShare.share,
        customActions: customActionsOf(request),
      },
      showsAllIssues,
    );
    const best = bestQuotes(quoted, request.request.kind);
    const { passed: planned, failures: payoutFailures } = await this.payoutChecks.check(
      best.map((route) => this.plan(route, request)),
      request,
    );
    const grouped = groupFailures([...coverageFailures, ...failures, ...payoutFailures]);
    const result = quoteOutcome({
      quotes: planned.length,
      failures: grouped,
      showsAllIssues,
      ...wanted,
      hops: request.hops ?? [],
    });
    if (result.kind === 'refusal') throw invalidRequest(...result.issues);
    const state = this.state(request, { caller, quotes: planned, prices, places });
    return {
      quote_request: request,
      quotes: planned.map(({ quote }) => quote),
      current_prices: state.current_prices,
      price_currency: state.price_currency,
      state_token: await this.seal(state),
      quoted_at: state.quoted_at,
      accept_by: state.accept_by,
      fault: result.fault,
      failures: showsAllIssues ? grouped : withTellingIssue(grouped),
      limits: sourceLimits({
        routes: routes.filter(({ ramp }) => !ramp || isSoldIn(ramp, places, countryRules)),
        quotes: best,
        failures: grouped,
      }),
    };
  }

  /** @throws ServiceError 403 for the keys of a paused organisation */
  private async requireUnpaused({ orgId }: Caller): Promise<void> {
    const pause = pauseOf(await this.switches.current(), 'organisation', orgId);
    if (pause !== undefined) throw forbidden(pauseMessage(pause));
  }

  private async findRoutes(
    request: QuoteRequest,
    {
      caller,
      places,
      countryRules,
    }: { caller: Caller } & Pick<RequestContext, 'places' | 'countryRules'>,
  ): Promise<{ routes: Route[]; assets: KnownAssets; failures: readonly TimedFailure[] }> {
    const { input, output } = requestedAssets(request.request);
    const { hops = [] } = request;
    const providers = this.keyScopes.providersOf(caller.mode);
    const wanted = request.onramps?.length ? request.onramps : [...providers.keys()];
    const { graph, assets, availability, failures } = await this.routing.graphForQuotes(
      { from: input, to: output, hops },
      wanted,
      await this.requesters.of(caller, request.features),
    );
    const prohibited = refusedPlace(countryRules, places);
    if (prohibited !== undefined) {
      return { routes: [], assets, failures: [prohibitedPlace(prohibited)] };
    }
    const isSold = ({ ramp }: Route) => !ramp || isSoldIn(ramp, places, countryRules);
    const routes = graph.routes(
      input,
      output,
      (route) => isQuotable(route, availability) && isSold(route),
      hops,
    );
    const { onramps = [] } = request;
    const sold = filterRoutes(routes, { onramps }).filter(isSold);
    return {
      routes: filterRoutes(routes, request),
      assets,
      failures: [
        ...failures,
        ...unknownProviders(request, providers),
        ...disabledMethods(request, caller.methods ?? [], wanted),
        ...unofferedMethods(sold, request, { input, output }),
      ],
    };
  }

  private async priceBook(request: QuoteRequest, routes: readonly Route[]): Promise<PriceBook> {
    const currency = request.price_currency ?? 'usd';
    const { input, output } = requestedAssets(request.request);
    const approved = approvedTokens(request.request.custom_actions, chainNameOf(output) ?? '');
    const needed = assetsToPrice(routes, 'usd', currency, input, output, ...approved);
    const fresh = await this.prices.fresh(needed, this.config.priceMaxAgeMs);
    const prices = PriceBook.in(currency, fresh);
    if (!prices.has(currency)) throw unpricedCurrency(currency);
    return prices;
  }

  private slippageFor({ allow_unsafe_slippage: isUnsafe }: QuoteRequest): number {
    return isUnsafe ? this.config.unsafeSlippageBps : this.config.slippageBps;
  }

  private plan(route: PricedRoute, request: QuoteRequest): PlannedQuote {
    const { surplusBps, feeReceiver } = this.config;
    const slippageBps = this.slippageFor(request);
    const timingOf = (chain: string) => this.chains.get(chain).definition;
    return {
      quote: toQuote(route, { paymentId: uuidv7(), timingOf }),
      plan: planForOutcome(
        paymentPlan(route, {
          slippageBps,
          deliverySlippageBps: Math.min(slippageBps, this.config.slippageBps),
          surplusBps,
          feeReceiver,
        }),
        testOutcomeOf(request),
      ),
    };
  }

  private state(
    request: QuoteRequest,
    {
      caller,
      quotes,
      prices,
      places,
    }: { caller: Caller; quotes: PlannedQuote[]; prices: PriceBook; places: Geolocation[] },
  ): QuoteState {
    const { input, output } = requestedAssets(request.request);
    const quotedAt = new Date();
    const [place = null, ...further_places] = places;
    return {
      org_id: caller.orgId,
      ...(caller.mode === 'test' && { mode: caller.mode }),
      quote_request: { ...request, features: request.features ?? [] },
      quotes,
      current_prices: prices.show([
        input,
        output,
        prices.currency,
        ...quotes.flatMap(({ quote }) => assetsOf(quote)),
      ]),
      price_currency: prices.currency,
      geolocation: place,
      ...(further_places.length > 0 && { further_places }),
      is_customer_vouched: caller.kind === 'secret',
      quoted_at: quotedAt.toISOString(),
      accept_by: new Date(quotedAt.getTime() + this.config.validityMs).toISOString(),
    };
  }

  private async seal(state: QuoteState): Promise<string> {
    try {
      return await this.tokens.seal('quote', state, new Date(state.accept_by));
    } catch (error) {
      if (!(error instanceof SealedTokenError)) throw error;
      throw invalidField([], 'The request is too large for a state token; shorten its texts.');
    }
  }
}

/** @throws ServiceError for a publishable key, which all visitors of a page share */
function requireCeilingRight(
  { allow_exceed_max_input_limit: isExceeding }: QuoteRequest,
  { kind }: Caller,
): void {
  if (isExceeding && kind !== 'secret') {
    throw forbidden('allow_exceed_max_input_limit needs a secret key.');
  }
}

/** Failure of every route: no service sells there, not even the deployment's own. */
const prohibitedPlace = (at: Geolocation): TimedFailure => {
  const message = `Payments are not available in ${placeName(at)}.`;
  return {
    failure: new RouteFailure(['geolocation'], [{ kind: 'geolocation', message }]),
    latencyMs: 0,
  };
};

const customActionsOf = ({ request }: QuoteRequest): CustomActions | null =>
  request.custom_actions?.actions.length ? request.custom_actions : null;

const customerOf = (
  { customer_id: id, request: { dest_address: destinationAddress } }: QuoteRequest,
  address: string | undefined,
  place: Geolocation | null,
): OnrampCustomer => ({
  ...(id !== undefined && { id }),
  ...(destinationAddress !== undefined && { destinationAddress }),
  ...(address !== undefined && { ipAddress: address }),
  ...(place && { geolocation: place }),
});
