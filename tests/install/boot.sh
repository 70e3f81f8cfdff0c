#!/bin/bash
# Boots a machine in namespaces of its own: boot.sh <lower folders> <upper folder> <work folder> <mount point> <shared folder>.
# systemd is its process 1. The shared folder is there at /mnt.
set -euo pipefail
lower=$1 upper=$2 work=$3 root=$4 shared=$5

mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$upper,workdir=$work" "$root"
mount --bind "$shared" "$root/mnt"
cd "$root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for number in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${number%%:*}" "dev/${number##*:}"; done
ip link set lo up
hostname debian12
mkdir -p run/host-root
pivot_root . run/host-root
umount -l /run/host-root
exec env -i container=install-check PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd </dev/null
