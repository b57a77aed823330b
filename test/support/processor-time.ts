/**
 * Processor time of the calling thread so far, in milliseconds: other work on the machine adds nothing to it.
 *
 * Linux brings the time of a running thread up to date when it is asked for that of its process
 * (`thread_group_cputime` in kernel/sched/cputime.c); until then that of the thread alone stands at the last tick of the
 * scheduler, which is up to 4 ms ago.
 */
export function processorMilliseconds(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
