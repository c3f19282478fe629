import { Public } from '@bascule/identity';
import { PartyApiErrorFilter } from '@bascule/party-api';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Req,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { OrderService } from '../orders/order.service.js';
import { ProviderRegistryService } from '../providers/provider-registry.service.js';
import { ApiError } from '../wire/api-error.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { readCheckoutRequest } from '../wire/read-request.js';
import { orderBody } from '../orders/order-body.js';

@Public()
@UseGuards(ApiKeyGuard)
@UseFilters(PartyApiErrorFilter)
@Controller(':provider/v1')
export class OrdersController {
  constructor(
    private readonly providers: ProviderRegistryService,
    private readonly orders: OrderService,
  ) {}

  @Post('checkouts')
  @HttpCode(201)
  async checkout(
    @Param('provider') name: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ) {
    const base = this.providers.publicUrl ?? `${request.protocol}://${request.host}`;
    const order = await this.orders.place(this.providers.get(name), readCheckoutRequest(body));
    return {
      order: orderBody(order),
      checkout_url: `${base}/${name}/checkout/${order.id}`,
      expires_at: order.expiresAt.toISOString(),
    };
  }

  @Get('orders/:partnerOrderId')
  async order(@Param('provider') name: string, @Param('partnerOrderId') partnerOrderId: string) {
    const order = await this.orders.find(name, partnerOrderId);
    if (!order) throw new ApiError('not_found', 'Order not found.');
    return { order: orderBody(order) };
  }
}
