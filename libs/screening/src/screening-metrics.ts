import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { SCREENING_PURPOSES } from './persistence/screening-audit.js';

@Injectable()
export class ScreeningMetrics {
  readonly answers: Counter<'source' | 'outcome'>;
  readonly available: Gauge<'source'>;
  readonly outdated: Gauge<'source'>;
  readonly hits: Counter<'purpose'>;
  readonly waits: Counter<'purpose'>;
  readonly allowed: Counter<'purpose'>;
  readonly allowedUsd: Counter<'purpose'>;

  constructor({ metrics }: ServiceContext) {
    const registers = [metrics];
    this.answers = new Counter({
      name: 'screening_answers_total',
      help: 'Addresses that a source was asked about, by outcome; cached answers are not counted.',
      labelNames: ['source', 'outcome'],
      registers,
    });
    this.available = new Gauge({
      name: 'screening_source_available',
      help: '1 when the last question to the source was answered, or none was asked yet.',
      labelNames: ['source'],
      registers,
    });
    this.outdated = new Gauge({
      name: 'screening_list_outdated',
      help: '1 while an older list answers, since the current one may be truncated.',
      labelNames: ['source'],
      registers,
    });
    this.hits = new Counter({
      name: 'screening_hits_total',
      help: 'Screenings that found a sanctioned address.',
      labelNames: ['purpose'],
      registers,
    });
    this.waits = new Counter({
      name: 'screening_waits_total',
      help: 'Screenings that a source did not answer and no allowance covered.',
      labelNames: ['purpose'],
      registers,
    });
    this.allowed = new Counter({
      name: 'screening_allowed_total',
      help: 'Small sums that went on although a source did not answer.',
      labelNames: ['purpose'],
      registers,
    });
    this.allowedUsd = new Counter({
      name: 'screening_allowed_usd_total',
      help: 'Their value in US dollars.',
      labelNames: ['purpose'],
      registers,
    });
    // Series exist from the start, so that their first event is an increase.
    for (const purpose of SCREENING_PURPOSES) {
      for (const counter of [this.hits, this.waits, this.allowed, this.allowedUsd]) {
        counter.inc({ purpose }, 0);
      }
    }
  }
}
