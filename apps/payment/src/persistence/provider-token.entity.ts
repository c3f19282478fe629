import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Access tokens of providers, which all replicas share. Tokens are encrypted with a key of the provider's API secret. */
@Entity('provider_tokens')
export class ProviderTokenEntity {
  @PrimaryColumn({ type: 'text' })
  provider!: string;

  /** Grows with each new token; 0 before the first one. */
  @Column({ type: 'integer' })
  version!: number;

  @Column({ type: 'text', nullable: true })
  sealed!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  obtainedAt!: Date | null;

  /** Replaced tokens, newest first: `{sealed, expires_at}`. */
  @Column({ type: 'jsonb', default: () => "'[]'" })
  former!: object[];

  /** Claim of the replica that is replacing the token. */
  @Column({ type: 'uuid', nullable: true })
  claimId!: string | null;

  /** End of a claim, and of the pause after it. */
  @Column({ type: 'timestamptz' })
  claimableAt!: Date;

  /** Tokens in a row that were replaced within two hours. */
  @Column({ type: 'integer', default: 0 })
  shortLived!: number;
}
