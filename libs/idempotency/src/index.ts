import { CreateIdempotencyRecords1799000000000 } from './create-idempotency-records.migration.js';
import { IdempotencyRecord } from './idempotency-record.entity.js';

/** Entities for the service's data source; records are stored in its own schema. */
export const idempotencyEntities = [IdempotencyRecord];
export const idempotencyMigrations = [CreateIdempotencyRecords1799000000000];

export type { AnswerSlot } from './answer-slot.js';
export { IdempotencyKey } from './idempotency-key.js';
export { answersByKey } from './answers-by-key.js';
export { IdempotencyModule } from './idempotency.module.js';
export { IdempotencyService } from './idempotency.service.js';
export type { IdempotentWork } from './idempotency.service.js';
export type { IdempotentRequest } from './idempotent-request.js';
export { insertAnswer, insertAnswerOf } from './sealed-answer.js';
export type { SealedAnswer } from './sealed-answer.js';
