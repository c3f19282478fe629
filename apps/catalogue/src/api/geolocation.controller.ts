import type { GeolocationResponse } from '@bascule/contracts';
import { Geolocator } from '@bascule/geolocation';
import { CurrentCaller, RequirePermission, type Caller } from '@bascule/identity';
import { NO_STORE } from '@bascule/service-host';
import { Controller, Get, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GeolocationQueryDto } from './geolocation-query.dto.js';

@Controller('geolocation')
export class GeolocationController {
  constructor(private readonly geolocator: Geolocator) {}

  /** Locates `customer_ip_address`, or the caller's address without it. */
  @Get()
  @RequirePermission('assets')
  geolocation(
    @Query() query: GeolocationQueryDto,
    @CurrentCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): void {
    const address = query.customer_ip_address ?? caller.clientIp;
    const found: GeolocationResponse =
      address === undefined ? null : this.geolocator.locate(address);
    // Serialised here: Fastify would send `null` as an empty body.
    void reply
      .header('cache-control', NO_STORE)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(found));
  }
}
