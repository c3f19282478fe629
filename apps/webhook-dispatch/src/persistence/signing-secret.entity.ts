import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Signing secret; each active one signs every delivery until it is retired. */
@Entity('webhook_signing_secrets')
@Index(['webhookId'])
export class SigningSecretEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  webhookId!: string;

  /** Encrypted. */
  @Column('text')
  sealed!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  retiresAt!: Date | null;
}
