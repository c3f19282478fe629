import { Entity, PrimaryColumn } from 'typeorm';

/** Partitioned by `day`, the day of the event in UTC. */
@Entity('inbox')
export class InboxEntry {
  @PrimaryColumn('date')
  day!: string;

  @PrimaryColumn('uuid')
  eventId!: string;

  /** Distinguishes several effects of one event in one service. */
  @PrimaryColumn('text')
  effect!: string;
}
