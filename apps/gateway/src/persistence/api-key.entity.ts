import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { KeyKind } from '../callers/api-key.js';
import { KeySetEntity } from './key-set.entity.js';

@Entity('api_keys')
@Check('api_keys_kind', `kind IN ('secret', 'publishable')`)
export class ApiKeyEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Index('api_keys_key_set_id')
  @Column('uuid')
  keySetId!: string;

  @ManyToOne(() => KeySetEntity)
  @JoinColumn({ name: 'key_set_id', foreignKeyConstraintName: 'api_keys_key_set' })
  keySet?: Relation<KeySetEntity>;

  @Column('text')
  kind!: KeyKind;

  /** SHA-256 of the key. */
  @Index('api_keys_hash', { unique: true })
  @Column('bytea')
  hash!: Buffer;

  /** Last characters of the key. */
  @Column('text')
  hint!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}
