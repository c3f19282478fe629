import { RepeatedWarning, ServiceContext } from '@bascule/process';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { AssetOverrideRepository } from '../persistence/asset-override.repository.js';
import { ListingRepository } from '../persistence/listing.repository.js';
import { ListingService } from './listing.service.js';
import { ListingSnapshotService } from './listing-snapshot.service.js';

const JOB = 'follow-listing';
/** Short enough for every replica and projection to follow a change within 5 s. */
const POLL_MS = 500;

/** Keeps this replica's snapshot and the published listing up to date. */
@Injectable()
export class ListingWorker implements OnApplicationBootstrap {
  private readonly trouble: RepeatedWarning;
  private running: Promise<void> | undefined;

  constructor(
    private readonly listing: ListingService,
    private readonly snapshot: ListingSnapshotService,
    private readonly repository: ListingRepository,
    private readonly overrides: AssetOverrideRepository,
    private readonly scheduler: SchedulerRegistry,
    private readonly context: ServiceContext,
  ) {
    this.trouble = new RepeatedWarning(context.logger, 'listing refresh failed');
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listing.list();
    this.snapshot.replace(await this.listing.read());
    this.scheduler.addInterval(
      JOB,
      setInterval(() => this.tick(), POLL_MS),
    );
    this.context.shutdown.add('intake', JOB, () => this.stop());
  }

  /** Skips a tick while the last one is running. */
  private tick(): void {
    this.running ??= this.follow()
      .then(() => this.trouble.clear())
      .catch((error: unknown) => {
        this.trouble.report(error instanceof Error ? error.message : String(error), { err: error });
      })
      .finally(() => {
        this.running = undefined;
      });
  }

  private async follow(): Promise<void> {
    if (await this.overrides.arePending()) await this.listing.applyOverrides();
    const revision = await this.repository.revision();
    if (revision !== this.snapshot.revision) this.snapshot.replace(await this.listing.read());
  }

  private async stop(): Promise<void> {
    if (this.scheduler.doesExist('interval', JOB)) this.scheduler.deleteInterval(JOB);
    await this.running;
  }
}
