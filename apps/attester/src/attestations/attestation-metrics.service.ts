import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import type { RefusalCode } from './refusal.js';
import type { AttestedOutcome } from './attested-outcome.js';

@Injectable()
export class AttestationMetricsService {
  private readonly answers: Counter<'answer'>;

  constructor(context: ServiceContext) {
    this.answers = new Counter({
      name: 'attester_answers_total',
      help: 'Answers about orders, by signed outcome or reason of the refusal.',
      labelNames: ['answer'],
      registers: [context.metrics],
    });
  }

  countAnswer(answer: AttestedOutcome['outcome'] | RefusalCode): void {
    this.answers.inc({ answer });
  }
}
