import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Answer to the first request with an `Idempotency-Key`, stored with the effect of that request. */
@Entity('idempotency_records')
export class IdempotencyRecord {
  /** SHA-256 of what makes two requests the same one. */
  @PrimaryColumn('bytea')
  identity!: Buffer;

  /** Encrypted, with the hash of the body. */
  @Column('text')
  answer!: string;

  /** False while the effect is stored and its answer was not given yet. */
  @Column('boolean')
  isFinal!: boolean;

  @Index('idempotency_records_expires_at_idx')
  @Column('timestamptz')
  expiresAt!: Date;
}
