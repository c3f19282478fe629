import { Public } from '@bascule/identity';
import { PartyApiErrorFilter } from '@bascule/party-api';
import { ServiceContext } from '@bascule/process';
import { addressBlocksOfRequest } from '@bascule/service-host';
import type { AddressBlock } from '@bascule/service-host';
import { Body, Controller, HttpCode, Inject, Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { TRUSTED_HOPS } from '../config/attester.config.js';
import { AttestationMetricsService } from './attestation-metrics.service.js';
import { AttestationService } from './attestation.service.js';
import type { Attestation } from './attestation.service.js';
import { readAttestationRequest } from './read-attestation-request.js';
import { Refusal } from './refusal.js';
import type { RefusalCode } from './refusal.js';

/** Refusals that an operator has to know of. */
const OPERATORS_CONCERN: readonly RefusalCode[] = [
  'chain_unavailable',
  'endpoints_disagree',
  'signer_unavailable',
  'signer_refused',
];

/** Open to everyone: attestations state public facts of the chains. */
@Public()
@UseFilters(PartyApiErrorFilter)
@Controller('v1/attestations')
export class AttestationsController {
  constructor(
    private readonly attestations: AttestationService,
    private readonly metrics: AttestationMetricsService,
    private readonly context: ServiceContext,
    @Inject(TRUSTED_HOPS) private readonly trustedHops: number,
  ) {}

  @Post()
  @HttpCode(200)
  async attest(@Body() body: unknown, @Req() { raw }: FastifyRequest) {
    const client = addressBlocksOfRequest(raw, this.trustedHops);
    const { orderId, outcome, filler, attester, signature } = await this.observed(body, client);
    return { order_id: orderId, outcome, filler, attester, signature };
  }

  private async observed(body: unknown, client: readonly AddressBlock[]): Promise<Attestation> {
    try {
      const attestation = await this.attestations.attest(readAttestationRequest(body), client);
      const { orderId, outcome, filler } = attestation;
      this.metrics.countAnswer(outcome);
      this.context.logger.info({ order_id: orderId, outcome, filler }, 'order attested');
      return attestation;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.metrics.countAnswer(error.code);
      if (OPERATORS_CONCERN.includes(error.code)) {
        this.context.logger.warn({ err: error }, 'could not attest order');
      }
      throw error;
    }
  }
}
