@rem `npm start` begins with exec, by which sh makes the service the child of npm. cmd.exe finds this file instead.
@%*
