import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An operator's action. Append-only. */
@Entity('audit_log')
@Index('audit_log_subject', ['subjectId', 'at'])
export class AuditEntryEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  at!: Date;

  @Column('text')
  actor!: string;

  @Column('text')
  action!: string;

  @Column('uuid')
  subjectId!: string;

  @Column('jsonb')
  details!: Record<string, unknown>;
}
