import { CountryRulesService } from '@bascule/country-rules';
import { Geolocator } from '@bascule/geolocation';
import type { Caller } from '@bascule/identity';
import { NO_STORE, ORGANISATION_ANSWER, type CacheableAnswer } from '@bascule/service-host';
import { Injectable } from '@nestjs/common';
import { RequestersService } from '../organisations/requesters.service.js';
import { RequestReaderService } from '../requests/request-reader.service.js';
import { unknownAsset } from '../requests/unknown-names.js';
import { CatalogueCacheService } from '../catalogue/catalogue-cache.service.js';
import { RoutingService } from '../routing/routing.service.js';
import { customerAddresses, customerPlaces, isSoldIn } from '../places/places.js';
import { KeyScopesService } from '../sources/key-scopes.service.js';
import { MethodsQueryDto } from './methods-query.dto.js';
import { offeredMethods } from './offered-methods.js';

/** Lists the payment methods that buy an asset at the customer's place. */
@Injectable()
export class MethodsService {
  constructor(
    private readonly requests: RequestReaderService,
    private readonly routing: RoutingService,
    private readonly catalogue: CatalogueCacheService,
    private readonly geolocator: Geolocator,
    private readonly requesters: RequestersService,
    private readonly countryRules: CountryRulesService,
    private readonly keyScopes: KeyScopesService,
  ) {}

  /** @throws ServiceError with every problem of the query */
  async answer(query: unknown, caller: Caller): Promise<CacheableAnswer> {
    const { input, output, customer_ip_address: named, features } = await this.read(query, caller);
    const requester = await this.requesters.of(caller, features);
    const { graph, revision, accessKey: access } = await this.routing.graphForDiscovery(requester);
    const addresses = customerAddresses(named, caller);
    const located = addresses.map((address) => this.geolocator.locate(address));
    const places = customerPlaces(undefined, located);
    const rules = await this.countryRules.current();
    return {
      key: JSON.stringify([input, output, access, places, rules.version]),
      revision,
      // A response that depends on the caller's address must not be cached: other callers send the same query.
      cacheControl: addresses.every((each) => each === named) ? ORGANISATION_ANSWER : NO_STORE,
      body: () =>
        offeredMethods(
          graph.rampsTo(input, output).filter((ramp) => isSoldIn(ramp, places, rules)),
        ),
    };
  }

  private async read(query: unknown, { mode }: Caller): Promise<MethodsQueryDto> {
    const listed = await this.catalogue.listedAssets();
    const assets = this.keyScopes.assetsOf(mode, listed.assets);
    const hint = this.keyScopes.hintOf(mode);
    return this.requests.read('query', MethodsQueryDto, query, [
      ...unknownAsset(query, ['input'], assets, hint),
      ...unknownAsset(query, ['output'], assets, hint),
    ]);
  }
}
