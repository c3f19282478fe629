import { Geolocator } from '@bascule/geolocation';
import { ORGANISATION_ANSWER, type CacheableAnswer, type Caller } from '@bascule/http';
import { Injectable } from '@nestjs/common';
import { RequestReader } from '../requests/request-reader.service.js';
import { unknownAsset } from '../requests/unknown-names.js';
import { AssetBook } from '../routing/asset-book.service.js';
import { RoutingService } from '../routing/routing.service.js';
import { customerPlace } from './customer-place.js';
import { MethodsQueryDto } from './methods-query.dto.js';
import { offeredMethods } from './offered-methods.js';
import { isSoldAt } from './places.js';

/** How an asset can be bought where the customer is. */
@Injectable()
export class MethodsService {
  constructor(
    private readonly requests: RequestReader,
    private readonly routing: RoutingService,
    private readonly book: AssetBook,
    private readonly geolocator: Geolocator,
  ) {}

  /** @throws ServiceError with every problem of the query */
  async answer(query: unknown, { orgId, clientIp }: Caller): Promise<CacheableAnswer> {
    const { input, output, customer_ip_address, features = [] } = await this.read(query);
    const { graph, revision, access } = await this.routing.promised({ orgId, features });
    const place = this.placeOf(customer_ip_address ?? clientIp);
    return {
      key: JSON.stringify([input, output, access, place]),
      revision,
      cacheControl: ORGANISATION_ANSWER,
      body: () =>
        offeredMethods(graph.rampsTo(input, output).filter((ramp) => isSoldAt(ramp, place))),
    };
  }

  private async read(query: unknown): Promise<MethodsQueryDto> {
    const { assets } = await this.book.current();
    return this.requests.read('query', MethodsQueryDto, query, [
      ...unknownAsset(query, ['input'], assets),
      ...unknownAsset(query, ['output'], assets),
    ]);
  }

  private placeOf(address: string | undefined) {
    return customerPlace(undefined, address === undefined ? null : this.geolocator.locate(address));
  }
}
