mod contact;
mod failed_frame;
