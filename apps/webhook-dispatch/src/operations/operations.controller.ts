import type {
  DeliveryReference,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryPage,
  WebhookResendFailed,
} from '@bascule/contracts';
import { CurrentCaller, RequirePermission, RequireSecretKey, type Caller } from '@bascule/identity';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { DispatcherWorker } from '../delivery/dispatcher.worker.js';
import {
  WEBHOOK_DISPATCH_CONFIG,
  type WebhookDispatchConfig,
} from '../config/webhook-dispatch.config.js';
import {
  DeliveryIdDto,
  ListDeliveriesDto,
  ResendFailedDto,
  TestWebhookDto,
} from './deliveries.dto.js';
import { OperationsService } from './operations.service.js';

/** Beyond the specification. */
@Controller('orgs/webhooks')
@RequireSecretKey()
@RequirePermission('webhooks')
export class OperationsController {
  constructor(
    private readonly operations: OperationsService,
    private readonly dispatcher: DispatcherWorker,
    @Inject(WEBHOOK_DISPATCH_CONFIG) private readonly config: WebhookDispatchConfig,
  ) {}

  @Get('deliveries')
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListDeliveriesDto,
  ): Promise<WebhookDeliveryPage> {
    return this.operations.list(caller.orgId, query);
  }

  @Get('deliveries/:delivery_id')
  show(
    @CurrentCaller() caller: Caller,
    @Param() { delivery_id }: DeliveryIdDto,
  ): Promise<WebhookDeliveryDetails> {
    return this.operations.show(caller.orgId, delivery_id, this.config.userAgent);
  }

  @Post('deliveries/resend-failed')
  @HttpCode(200)
  async resendFailed(
    @CurrentCaller() caller: Caller,
    @Body() body: ResendFailedDto,
  ): Promise<WebhookResendFailed> {
    const result = await this.operations.resendFailed(caller.orgId, body);
    this.dispatcher.wake();
    return result;
  }

  @Post('deliveries/:delivery_id/resend')
  @HttpCode(200)
  async resend(
    @CurrentCaller() caller: Caller,
    @Param() { delivery_id }: DeliveryIdDto,
  ): Promise<WebhookDelivery> {
    const delivery = await this.operations.resend(caller.orgId, delivery_id);
    this.dispatcher.wake();
    return delivery;
  }

  @Post('test')
  @HttpCode(200)
  async sendTest(
    @CurrentCaller() caller: Caller,
    @Body() body: TestWebhookDto,
  ): Promise<DeliveryReference> {
    const sent = await this.operations.sendTest(caller.orgId, body);
    this.dispatcher.wake();
    return sent;
  }
}
