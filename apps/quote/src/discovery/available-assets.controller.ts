import { CurrentCaller, RequirePermission, type Caller } from '@bascule/identity';
import { AnswerCache, type CacheableAnswer } from '@bascule/service-host';
import { Controller, Get, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SwitchesService } from '@bascule/switches';
import { availableInputs, availableOutputs } from './available-assets.js';
import { AvailableInputsQueryDto, AvailableOutputsQueryDto } from './available-query.dto.js';
import { PAUSED_HEADER, pausedHeader } from './paused-header.js';
import { ReachabilityService } from './reachability.service.js';

const OUTPUTS = { name: 'outputs', dto: AvailableOutputsQueryDto, answer: availableOutputs };
const INPUTS = { name: 'inputs', dto: AvailableInputsQueryDto, answer: availableInputs };

@Controller('assets')
export class AvailableAssetsController {
  private readonly answers = new AnswerCache();

  constructor(
    private readonly reachability: ReachabilityService,
    private readonly switches: SwitchesService,
  ) {}

  @Get('available-outputs')
  @RequirePermission('assets')
  async outputs(
    @Query() query: unknown,
    @CurrentCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(reply, await this.reachability.answer(OUTPUTS, query, caller));
  }

  @Get('available-inputs')
  @RequirePermission('assets')
  async inputs(
    @Query() query: unknown,
    @CurrentCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(reply, await this.reachability.answer(INPUTS, query, caller));
  }

  private async send(reply: FastifyReply, answer: CacheableAnswer): Promise<void> {
    const paused = pausedHeader(await this.switches.current());
    if (paused !== undefined) void reply.header(PAUSED_HEADER, paused);
    await this.answers.answer(reply, answer);
  }
}
