import { forbidden, type CallbackReceived } from '@bascule/contracts';
import { AllowCallers, CurrentCaller } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { RawBody } from '@bascule/service-host';
import { Body, Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import type { CallbackHeaders } from '@bascule/providers';
import { CallbackService } from './callback.service.js';

@Controller('providers')
export class CallbackController {
  constructor(private readonly callbacks: CallbackService) {}

  @Post(':name/callbacks')
  @HttpCode(200)
  @AllowCallers('provider')
  @RawBody()
  async receive(
    @Param('name') name: string,
    @Headers() headers: CallbackHeaders,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<CallbackReceived> {
    if (caller.provider !== name) throw forbidden('The callback is for another provider.');
    await this.callbacks.receive(name, headers, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    return { received: true };
  }
}
