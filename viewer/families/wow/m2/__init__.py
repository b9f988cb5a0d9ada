"""The WoW M2 family: models (`.m2`), views (`.skin`), keys (`.anim`) and skeletons (`.skel`)."""
