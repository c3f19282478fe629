import type { StackService } from '@bascule/composition';

/** Operations of a stack that chaos uses. */
export interface ChaosStack {
  /** The superuser's URL of its Postgres. */
  readonly adminUrl: string;
  /** Current state of every replica. */
  services(): StackService[];
  /** Whether this replica's process is ready, checked without the balancer. */
  isReady(service: string, replica: number): Promise<boolean>;
  operator(...args: string[]): Promise<string>;
}
