import { formatAmount } from '@bascule/amounts';
import { Public } from '@bascule/identity';
import { PartyApiErrorFilter } from '@bascule/party-api';
import { RawBody } from '@bascule/service-host';
import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Res,
  UseFilters,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { readSimulation } from '../wire/read-request.js';
import { orderBody } from '../orders/order-body.js';
import { soldToken } from '../offers/sold-tokens.js';
import { OrderService } from '../orders/order.service.js';
import type { Order } from '../persistence/order.entity.js';
import { ProviderRegistryService } from '../providers/provider-registry.service.js';
import { renderCheckoutPage } from './checkout-page.js';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'";

/** Checkout page of one order; its unguessable id is the credential. */
@Public()
@UseFilters(PartyApiErrorFilter)
@Controller(':provider/checkout')
export class CheckoutController {
  constructor(
    private readonly providers: ProviderRegistryService,
    private readonly orders: OrderService,
  ) {}

  @Get(':id')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', POLICY)
  @Header('cache-control', 'no-store')
  async page(@Param('provider') name: string, @Param('id') id: string): Promise<string> {
    const { offer } = this.providers.get(name);
    const order = await this.orders.byId(name, id);
    await this.orders.opened(order);
    return renderCheckoutPage({ ...shown(order), provider: offer.title, path: pathOf(order) });
  }

  @Post(':id/pay')
  @RawBody()
  async pay(@Param('provider') name: string, @Param('id') id: string, @Res() reply: FastifyReply) {
    return reply.redirect(pathOf(await this.orders.decide(name, id, 'pay')), 303);
  }

  @Post(':id/decline')
  @RawBody()
  async decline(
    @Param('provider') name: string,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ) {
    return reply.redirect(pathOf(await this.orders.decide(name, id, 'decline')), 303);
  }

  /** Simulates misbehaviour of an order, for tests. */
  @Post(':id/simulate')
  @HttpCode(200)
  async simulate(@Param('provider') name: string, @Param('id') id: string, @Body() body: unknown) {
    return { order: orderBody(await this.orders.simulate(name, id, readSimulation(body))) };
  }
}

const pathOf = (order: Order): string => `/${order.provider}/checkout/${order.id}`;

function shown(order: Order) {
  const token = soldToken(order.contract);
  return {
    ...order,
    symbol: token?.symbol ?? '',
    cryptoAmount: formatAmount(order.cryptoAmount, token?.decimals ?? 18),
  };
}
