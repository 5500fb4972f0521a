import { type Layout, userName } from './layout.ts';

/** https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html; V8 compiles code, so memory may become executable. */
export function unitText({ current, settings, data }: Layout): string {
  return `# Written by engawa install. Change it with: systemctl edit engawa
[Unit]
Description=Engawa
Wants=network-online.target
After=network-online.target

[Service]
User=${userName}
EnvironmentFile=${settings}
WorkingDirectory=${data}
ExecStart=${current}/engawa start
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
TimeoutStopSec=60
UMask=0077
ReadWritePaths=${data}
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
AmbientCapabilities=CAP_NET_BIND_SERVICE

[Install]
WantedBy=multi-user.target
`;
}

/** @param publicUrl the https address behind a proxy on this machine; undefined: only this machine can open Engawa. */
export function settingsText({ data }: Layout, { port, publicUrl }: { port: number; publicUrl: string | undefined }): string {
  return `# Settings of Engawa, one NAME=VALUE per line (operations.en.md, section 3). Afterwards: systemctl restart engawa
AUTH_MODE=password
DATA_DIR=${data}
PORT=${port}
${publicUrl === undefined ? '# PUBLIC_URL=https://chat.example.com\n# TRUSTED_PROXY=127.0.0.1' : `PUBLIC_URL=${publicUrl}\nTRUSTED_PROXY=127.0.0.1`}
`;
}

/** The command gives up the rights of root, so that no file in the data belongs to root. */
export function commandText({ current, settings }: Layout): string {
  return `#!/bin/sh
# Written by engawa install.
export ENGAWA_SETTINGS=${settings}
case "$1" in install | uninstall | upgrade) exec ${current}/engawa "$@" ;; esac
[ "$(id -u)" = 0 ] && exec runuser -u ${userName} -- ${current}/engawa "$@"
[ -r ${settings} ] && exec ${current}/engawa "$@"
echo "root で実行してください: sudo engawa $* / Run this as root: sudo engawa $*" >&2
exit 1
`;
}
