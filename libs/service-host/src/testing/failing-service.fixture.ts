// Service with a component that fails shortly after the start.
import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { parseConfig, ServiceContext } from '@bascule/process';
import { serverEnv } from '../service/http-config.js';
import { runService } from '../service/run-service.js';

@Injectable()
class FailingComponent implements OnApplicationBootstrap {
  constructor(private readonly context: ServiceContext) {}

  onApplicationBootstrap(): void {
    setTimeout(() => {
      this.context.failure.abort(new Error('the consumer stalled'));
    }, 50);
  }
}

@Module({ providers: [FailingComponent] })
class FailingModule {}

await runService({
  name: 'doomed',
  parseConfig: (env) => parseConfig(env, serverEnv),
  module: () => FailingModule,
});
